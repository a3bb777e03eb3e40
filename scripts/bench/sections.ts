import { benchAddresses } from './addresses.ts';
import { againstBare } from './against-bare.ts';
import { benchBroadcast } from './broadcast.ts';
import { benchFollow } from './follow.ts';
import { benchLatency } from './latency.ts';
import { benchPaint } from './paint.ts';
import { benchReplay } from './replay.ts';
import { benchSearch } from './search.ts';
import { benchSite } from './site.ts';
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWide } from './wide.ts';

export interface Section {
  readonly name: string;
  readonly title: string;
  /** Measured only when it is named. */
  readonly isLong?: true;
  run(): Promise<readonly string[]>;
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'replay',
    title: 'Replay, end to end',
    run: benchReplay,
  },
  {
    name: 'latest',
    title: 'GET /alerts/latest against bare Fastify',
    run: () => againstBare({ path: '/api/v1/alerts/latest', alerts: 10_000, aim: 0.85 }),
  },
  {
    name: 'key',
    title: 'A key that was verified before: the smallest protected answer that needs no database',
    run: () => againstBare({ path: '/api/v1/alerts/latest?limit=1', alerts: 1 }),
  },
  {
    name: 'search',
    title: 'GET /alerts with filters',
    run: benchSearch,
  },
  {
    name: 'start',
    title: 'From a start to the first search',
    run: benchStart,
  },
  {
    name: 'broadcast',
    title: 'The stream: one alert to many clients',
    run: benchBroadcast,
  },
  {
    name: 'latency',
    title: 'The stream: from a trade to its frame',
    run: benchLatency,
  },
  {
    name: 'webhooks',
    title: 'Webhooks: deliveries to 500 receivers',
    run: benchWebhooks,
  },
  {
    name: 'follow',
    title: 'Follow: 10,000 people with three rules each',
    isLong: true,
    run: benchFollow,
  },
  {
    name: 'site',
    title: 'Visitors of the site beside callers of the API',
    isLong: true,
    run: benchSite,
  },
  {
    name: 'addresses',
    title: 'Pages for 700 addresses beside everyone else',
    isLong: true,
    run: benchAddresses,
  },
  {
    name: 'paint',
    title: 'The first paint of pages on a slow phone',
    isLong: true,
    run: benchPaint,
  },
  {
    name: 'wide',
    title: 'Two processes of the API on one MongoDB',
    run: benchWide,
  },
  {
    name: 'soak',
    title: 'A soak of the detector at the market’s volume',
    isLong: true,
    run: benchSoak,
  },
];
