import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';
import { ask } from '../support/api-server.ts';
import { NOON } from '../support/archive.ts';
import { startSite } from '../support/site.ts';
import { onRunningService, type RunningService } from './service.ts';

const SECOND = 1_000;
const DELAY = 300 * SECOND;
/** Pages may be a minute old, figures 10 s. */
const KEPT = 61 * SECOND;
const ID = 131;
const WALLET = `0x${'5ec2e7'.padEnd(40, '0')}`;
const MARKET = '0xsecretmarket';
const SLUG = 'secret-slug';

/** What only an answer that knows of the alert can have. */
const MARKS = /Secret question|secret-slug|0xsecretmarket|0x5ec2e7|Hush|777,?777|alerts\/131\b|alert.131\b/gi;

const secretAlert = (createdAt: number): Alert =>
  alertOf({
    id: ID,
    marketId: MARKET,
    eventTitle: 'Secret question?',
    eventSlug: SLUG,
    outcome: 'Hush',
    wallet: WALLET,
    usdc: 777_777,
    score: 99,
    createdAt,
    tradedAt: createdAt,
    detectedAt: createdAt,
    publishedAt: createdAt,
  });

/** Of the operator, for keys, or static. */
const OTHER = /^\/(?:api\/v1\/(?!hot-markets|coverage|log\/head)|assets\/|ws\/|metrics$|readyz$|healthz$)/;
const VALUES: Readonly<Record<string, string>> = {
  id: String(ID),
  slug: SLUG,
  address: WALLET,
  month: new Date(NOON).toISOString().slice(0, 7),
};
const LISTS = [
  '/?search=secret',
  `/?before_id=${ID + 1}`,
  '/?category=politics',
  '/?min_signal=90',
  `/?search=${WALLET}`,
];

/** Every public address: those of routes that are added join automatically. */
async function publicPaths(): Promise<readonly string[]> {
  const { app } = await startSite();
  const routes = app.routeTable.filter(({ method, url }) => method === 'GET' && !OTHER.test(url));
  const paths = routes.map(({ url }) =>
    url.replaceAll(/:(\w+?)(?=[/.]|$)/g, (_all, name) => VALUES[name] ?? '1'),
  );
  return [...paths, ...LISTS];
}

async function shownAt({ address }: RunningService, path: string) {
  const { status, text, headers } = await ask(address + path, { headers: { accept: 'text/html,*/*' } });
  const shown = [...headers].filter(([name]) => !/^(?:date|x-request-id|keep-alive|connection)$/.test(name));
  // The page for what is not found does not repeat the address; a refusal may.
  return { status, text, headers: shown.map((pair) => pair.join(': ')).join('\n') };
}

function marksOf(shown: Awaited<ReturnType<typeof shownAt>> | undefined): readonly string[] {
  return `${shown?.headers}\n${shown?.text}`.match(MARKS) ?? [];
}

onRunningService(
  'Free-tier alerts are delayed by 5 minutes. Pro and Enterprise are real-time. – also on pages, in feeds and in headers',
  (service) => {
    test('an alert of 299 s changes no public answer; at 300 s it is on the site', async () => {
      const { clock, publish } = service();
      const paths = await publicPaths();
      // By now all of the archive is old enough.
      clock.advance(DELAY + KEPT);
      const askAll = async () => {
        const answers = new Map<string, Awaited<ReturnType<typeof shownAt>>>();
        for (const path of paths) answers.set(path, await shownAt(service(), path));
        return answers;
      };
      const before = await askAll();
      const createdAt = clock.now();
      await publish(secretAlert(createdAt));
      for (const age of [0, KEPT, DELAY - SECOND]) {
        clock.advance(createdAt + age - clock.now());
        for (const [path, answer] of await askAll()) {
          const earlier = before.get(path);
          expect([age, path, answer.status]).toEqual([age, path, earlier?.status]);
          // A search repeats what was asked.
          expect([age, path, marksOf(answer)]).toEqual([age, path, marksOf(earlier)]);
        }
      }

      clock.advance(SECOND);
      await expect
        .poll(async () => {
          clock.advance(KEPT);
          return marksOf(await shownAt(service(), '/'));
        })
        .not.toEqual([]);
      for (const path of ['/', '/feed.xml', '/feed.json', ...LISTS.slice(0, 2)])
        expect([path, (await shownAt(service(), path)).text.match(MARKS)?.[0]]).toEqual([
          path,
          expect.any(String),
        ]);
    });
  },
  { PUBLIC_REQUESTS_PER_MINUTE: '0' },
);
