import { describe, expect, onTestFailed, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { CHANNELS, type PostMessage } from '../../src/core/chat/chat-message.ts';
import type { Database } from '../../src/core/database.ts';
import type { LiveRow } from '../../src/core/trades/source/source.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { wireMarket } from '../infra/market/tapes/source-fixture.ts';
import type { Kill } from '../support/chat/killable-process.ts';
import { DATABASES } from '../support/databases.ts';
import { KillableService } from '../support/killable-service.ts';
import { liveRow, parseLive } from '../support/live-rows.ts';
import { seededRandom } from '../support/random.ts';
import { START } from '../support/rows.ts';
import { pricesIn } from '../support/stored-prices.ts';
import { webhookOf } from '../support/webhooks.ts';
import { wholeLog } from '../support/whole-log.ts';

/** Another one each day. `CRASH_SEED` repeats that of a day; `CRASH_SEED=all` takes every point. */
const SEED = process.env['CRASH_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
/** On MongoDB, where each point takes a database and many round trips. */
const SAMPLED = 8;

/**
 * The calls, by their numbers, at which the process is killed: on SQLite all writes of the log, and one call of each other kind,
 * others each day; on MongoDB one in each of some equal parts. The seed is printed when the test fails.
 */
function crashPoints(kind: Database['kind'], calls: readonly string[]): readonly number[] {
  if (SEED === 'all') return [...calls.keys()];
  onTestFailed(() => console.error(`points of ${kind}: CRASH_SEED=${SEED}`));
  const random = seededRandom(Number(SEED));
  const parts = Math.min(SAMPLED, calls.length);
  if (kind === 'mongodb')
    return Array.from({ length: parts }, (_, part) => Math.floor(((part + random()) * calls.length) / parts));
  const points = Map.groupBy(calls.keys(), (point) => calls[point]);
  return [...points].flatMap(([call, own]) =>
    call === 'events.insert' ? own : [own[Math.floor(random() * own.length)] as number],
  );
}

const WEBHOOKS = ['wh_a', 'wh_b', 'wh_c'];
const DELIVERED = ['delivered', 'unknown'];
const ENTRIES = 13;
const EXITS = 1;
const RUN_ENTRIES = 1;
const POSTED = ['sent', 'unknown'];

function asLive(content: object): LiveRow {
  const line = JSON.stringify(content);
  const row = parseLive(line, START);
  if (row === null) throw new Error(line);
  return { row, line };
}

function buy(n: number, marketId: string, at: number, shares = 9_000): LiveRow[] {
  const proxyWallet = `0x${String(n % 5).padStart(40, '0')}`;
  const facts = { proxyWallet, createdAt: new Date(START).toISOString(), traded: 0 };
  const trade = liveRow(n, {
    proxyWallet,
    size: shares,
    timestamp: START / 1_000 + at,
    conditionId: marketId,
  });
  return n < 5 ? [asLive(facts), trade] : [trade];
}

/** Most of what the wallet of the first fill has bought. */
const sale = (at: number) =>
  liveRow(100, {
    proxyWallet: `0x${'0'.repeat(40)}`,
    side: 'SELL',
    size: 8_000,
    timestamp: START / 1_000 + at,
    conditionId: '0xm0',
  });

const settled = (conditionId: string, won: number) =>
  asLive(wireMarket({ conditionId, closed: true, outcomePrices: [won, 1 - won] }));

/** Wallets buy in three markets, and one sells; one market is settled, corrected and settled again, another once. */
const BATCHES: readonly (readonly LiveRow[])[] = [
  [...buy(0, '0xm0', 0), ...buy(1, '0xm1', 0)],
  [sale(1), ...buy(2, '0xm0', 2), ...buy(3, '0xm2', 3), ...buy(5, '0xm0', 4, 20_000)],
  [settled('0xm0', 1), ...buy(4, '0xm1', 6)],
  [...buy(6, '0xm1', 8, 30_000), settled('0xm0', 0), ...buy(7, '0xm2', 9)],
  [settled('0xm1', 1), ...buy(8, '0xm2', 12, 100), ...buy(9, '0xm2', 14, 100)],
];

/** What an alert says of the trade; when it was found, and so its log entry, differs from life to life. */
const judgement = ({ detectedAt, publishedAt, createdAt, log, ...rest }: Alert) => rest;

const undated = (name: string, value: unknown) => (name === 'detectedAt' ? undefined : value);

const stored = async (database: Database) => JSON.stringify(await pricesIn(database), undated);

/** What was found, without the moments at which it was. */
async function foundIn(database: Database) {
  const alerts = await database.alerts.after(0, 1_000);
  const journal = await database.journal.from(1, 1_000);
  const entries = await wholeLog(database);
  const own = entries.filter(({ kind }) => kind === 'alert');
  const heads = own.map(({ key, seq, hash }, index) => [index + 1, key, { seq, hash }]);
  expect(alerts.map(({ id, key, log }) => [id, key, log])).toEqual(heads);
  const exits = await database.exits.after(0, 100);
  return {
    exits: exits.map(({ number, key, alertIds, heldShares }) => [number, key, alertIds, heldShares]),
    alerts: alerts.map(judgement),
    entries: entries.map(({ kind, key }) => [kind, key]),
    trades: journal.flatMap(({ lines }) => lines.filter((line) => line.includes('"side"'))),
    prices: await stored(database),
  };
}

/** The deliveries and the posts that are due to what was found. */
async function owedBy(database: Database) {
  const logs = await Promise.all(WEBHOOKS.map((id) => database.deliveries.list(id, { limit: 1_000 })));
  const alerts = await database.alerts.after(0, 1_000);
  const threads = [...new Set(alerts.map(({ threadId }) => threadId))];
  const posts = await Promise.all(
    threads.flatMap((threadId) =>
      CHANNELS.map((channel) => database.chat.postsOfThread({ channel, threadId })),
    ),
  );
  const unended = await database.chat.counts(0);
  return { deliveries: logs.flat(), posts: posts.flat(), waiting: unended.pending + unended.sending };
}

interface Wanted {
  readonly found: Awaited<ReturnType<typeof foundIn>>;
  readonly deliveries: number;
  readonly threads: readonly string[];
}

/** The first alert of a thread is a post in each channel, which later ones may edit. */
const threadsIn = (posts: readonly PostMessage[]) =>
  [...new Set(posts.map(({ recipient, facts }) => `${facts.threadId}@${recipient}`))].toSorted();

async function liveIn(database: Database, kills: readonly Kill[], wanted: Wanted | null) {
  await database.keys.insert(keyOf({ id: 'key_a', tier: 'enterprise', trialEndsAt: null }));
  for (const id of WEBHOOKS)
    await database.webhooks.insert(webhookOf({ id, keyId: 'key_a', events: ['alert', 'outcome'] }), 100);
  const service = new KillableService(database, BATCHES);
  let calls = 0;
  let quiet = 0;
  const isDone = async () => {
    const { deliveries, posts, waiting } = await owedBy(database);
    const { length } = await database.log.after(0, 100);
    const isWhole = [
      length >= ENTRIES,
      deliveries.length >= (wanted?.deliveries ?? 1),
      threadsIn(posts).length >= (wanted?.threads.length ?? 0),
      deliveries.every(({ state }) => DELIVERED.includes(state)),
      waiting === 0,
    ].every(Boolean);
    if (!isWhole) calls = service.calls.length;
    // Snapshots, with which the prices are written, come after the alerts.
    const isStored = isWhole && wanted !== null && (await stored(database)) === wanted.found.prices;
    quiet = isWhole && (wanted === null || isStored) ? quiet + 1 : 0;
    return quiet > (wanted === null ? 15 : 2);
  };
  const died = await service.run(kills, isDone);
  return { service, died, calls, found: await foundIn(database), ...(await owedBy(database)) };
}

type Lived = Awaited<ReturnType<typeof liveIn>>;

function expectNoLossNoDouble({ service, found, deliveries, posts, waiting }: Lived, wanted: Wanted): void {
  expect(found).toEqual(wanted.found);
  const ids = service.sent.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(deliveries.length).toBe(wanted.deliveries);
  for (const { id, state } of deliveries) {
    expect(DELIVERED, id).toContain(state);
    if (state === 'delivered') expect(ids).toContain(id);
  }
  expect([threadsIn(posts), waiting]).toEqual([wanted.threads, 0]);
  const there = service.platforms.there();
  expect(new Set(there).size).toBe(there.length);
  for (const { id, state, error, facts } of posts) {
    if (state !== 'sent') expect(error, id).toMatch(/./);
    if (facts.alertId !== facts.threadId) continue;
    expect(POSTED, id).toContain(state);
    if (state === 'sent') expect(there).toContain(id);
  }
}

describe.each(DATABASES)('the service on $name, killed', { timeout: 240_000 }, ({ available, open }) => {
  test.skipIf(!available)(
    'at any call of the database, a receiver or a platform, and again, loses nothing and doubles nothing',
    async () => {
      const live = async (kills: readonly Kill[], wanted: Wanted | null) => {
        const { database, drop } = await open();
        const lived = await liveIn(database, kills, wanted);
        await drop();
        return { ...lived, kind: database.kind };
      };
      const undisturbed = await live([], null);
      const { found, deliveries, posts, service, calls } = undisturbed;
      const wanted: Wanted = { found, deliveries: deliveries.length, threads: threadsIn(posts) };
      expect(found.entries).toHaveLength(ENTRIES);
      expect(deliveries).toHaveLength(WEBHOOKS.length * (ENTRIES - RUN_ENTRIES - EXITS));
      expect(wanted.threads.length).toBeGreaterThan(5);

      const points = crashPoints(undisturbed.kind, service.calls.slice(0, calls));
      for (const [index, point] of points.entries()) {
        // The call at which it dies has an effect, or has none; which of them changes with the point, and so with the day.
        const isLastDone = (index + point) % 2 === 0;
        // Every third time the next process is killed as well.
        const again = index % 3 === 0 ? [{ after: 1 + ((point * 7) % 150), isLastDone: false }] : [];
        const kills = [{ after: point + 1, isLastDone }, ...again];
        const lived = await live(kills, wanted);
        expect.soft(lived.died, `killed at ${JSON.stringify(kills)}`).toBeGreaterThan(0);
        expectNoLossNoDouble(lived, wanted);
      }
    },
  );
});
