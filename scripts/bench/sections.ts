import { againstBare } from './against-bare.ts';
import type { Figure } from './figure.ts';
import { benchFollow } from './follow.ts';
import { benchReplay } from './replay.ts';
import { benchSearch } from './search.ts';
import { benchPaint } from './site/paint.ts';
import { benchSite } from './site/site.ts';
import { benchSoak } from './soak/soak.ts';
import { benchStart } from './start.ts';
import { benchBroadcast } from './stream/broadcast.ts';
import { benchLatency } from './stream/latency.ts';
import { benchDeliveries } from './webhooks/deliveries.ts';
import { benchWide } from './wide.ts';

function benchLatest(): Promise<readonly Figure[]> {
  return againstBare({
    path: '/api/v1/alerts/latest',
    alerts: 10_000,
    connections: 20,
    warmUpSeconds: 4,
    rounds: 7,
    roundSeconds: 2,
    aim: 0.85,
  });
}

/** A key that was verified before: the smallest protected answer that needs no database. */
function benchWarmKey(): Promise<readonly Figure[]> {
  return againstBare({
    path: '/api/v1/alerts/latest?limit=1',
    alerts: 1,
    connections: 20,
    warmUpSeconds: 2,
    rounds: 5,
    roundSeconds: 1.5,
  });
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly method: string;
  /** Measured only when it is named: it takes as long as all the others. */
  readonly isLong?: true;
  run(): Promise<readonly Figure[]>;
}

const TURNS =
  'The service, a bare Fastify whose one route sends the same bytes under the same headers, and the load generator: three processes. The servers alternate in short rounds; each round gives one ratio.';

export const SECTIONS: readonly Section[] = [
  {
    name: 'replay',
    title: 'Replay, end to end',
    method:
      'The whole service with an empty database: from its start, through reading and parsing the tape, until every alert and the last snapshot are written.',
    run: benchReplay,
  },
  {
    name: 'latest',
    title: '`GET /alerts/latest` against bare Fastify',
    method: TURNS,
    run: benchLatest,
  },
  {
    name: 'key',
    title: 'A key that was verified before',
    method: `\`GET /alerts/latest?limit=1\` over an archive of one alert. ${TURNS}`,
    run: benchWarmKey,
  },
  {
    name: 'search',
    title: '`GET /alerts` as the archive grows',
    method:
      'A fixed mix of 14 searches over HTTP with a key, one at a time, over both archives in turns, each 30 times after 20 to warm up. 2,000 markets, 50,000 wallets; the small archive is the beginning of the large one. A filter’s first search counts its matches; later ones count only what changed since.',
    run: benchSearch,
  },
  {
    name: 'start',
    title: 'From a start to the first search',
    method: 'A process with the role `api`, until a search with a filter is answered.',
    run: benchStart,
  },
  {
    name: 'broadcast',
    title: 'The stream: one alert to many clients',
    method:
      'Two servers alternate in short rounds: the service, and a raw loop over the sockets of `ws` with one buffer that was framed before. A process of bare sockets for each reads and counts bytes; the next alert is published when all have the last. The time runs from the moment at which an alert is in the database until the last client has it. The block of the loop is the longest delay that `monitorEventLoopDelay` saw, garbage collection included; other processes of the machine lengthen it, but not the processor time of its thread.',
    run: benchBroadcast,
  },
  {
    name: 'latency',
    title: 'The stream: from a trade to its frame',
    method:
      'Trades are appended to a tape that the service follows (`tail:`), 10 every 10 ms and a `close` row after them; the time runs from the end of the write until a client of the stream has the alert’s frame. SQLite, every alert durable before it is sent.',
    run: benchLatency,
  },
  {
    name: 'webhooks',
    title: 'Webhooks: deliveries to 500 receivers',
    method:
      '500 webhooks of 25 keys, each at a host of its own, over TLS; one process answers for all receivers. The next alert is sent when all have the last, ten per round. The service on SQLite.',
    run: benchDeliveries,
  },
  {
    name: 'follow',
    title: 'Follow: 10,000 people with three rules each',
    isLong: true,
    method:
      'The service with the role `bots` on SQLite, against a stand-in for Telegram in another process; half of the people have Pro keys. Matching and the writes to the outbox are measured separately, in the process of the benchmark. An alert for everybody goes at Telegram’s pace, while somebody sends `/help` again half a second after each answer.',
    run: benchFollow,
  },
  {
    name: 'site',
    title: 'Visitors of the site beside callers of the API',
    isLong: true,
    method:
      'The service with the midterms and 10,000 alerts; a client of the API asks a hundred times a second, in a process of its own. Rounds of 20 s without visitors and with them, which begin two seconds before, alternate: views of all kinds of pages, each fifth with its files, from a thousand addresses, and open first pages that read themselves again after each of two alerts. The visitors’ process has the idle class of Linux’s scheduler, since visitors do not take the service’s processors.',
    run: benchSite,
  },
  {
    name: 'paint',
    title: 'The first paint of pages on a slow phone',
    isLong: true,
    method:
      'The midterms and 10,000 alerts; the Chromium of the tests with a window of 390 × 844 and its processor four times slower. One tab opens a page of each kind, one after another, 15 times after one to warm up, as a reader does who follows links. From the beginning of the navigation to `first-contentful-paint`: median, least and most.',
    run: benchPaint,
  },
  {
    name: 'wide',
    title: 'Two processes of the API on one MongoDB',
    method:
      'Requests come evenly, as many for each process, to one process and to two in turns. The figures are processor time, so that two cores show them; what the processes take at rest is subtracted.',
    run: benchWide,
  },
  {
    name: 'soak',
    title: 'A soak of the detector at the market’s volume',
    isLong: true,
    method:
      'Generated trades, 38 per second with bursts of 100: 60,000 wallets per day by Zipf’s law, of which 5,000 trade anywhere and the others in few markets, two thirds of those on one day only; 24,000 new price markets per day, which the rules ignore, and 4,000 of elections. Orders have a median of 12 USDC. The detector alone on a day, with a snapshot each minute in an SQLite file; wallet facts are provided when they are needed.',
    run: benchSoak,
  },
];
