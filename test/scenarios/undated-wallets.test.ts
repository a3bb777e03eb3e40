import { describe, expect, test } from 'vitest';
import { DAY_MS, type EpochMs, HOUR_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { Intake } from '../../src/core/ingest/intake.ts';
import type { WalletAge } from '../../src/core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../src/core/trades/source/source.ts';
import { type MarketRequest, UpstreamFault } from '../../src/infra/market/polymarket/client/market-client.ts';
import { RouteHealth } from '../../src/infra/market/polymarket/client/route-health.ts';
import { WalletFactsReader } from '../../src/infra/market/polymarket/wallets/wallet-facts-reader.ts';
import { createFakeClock } from '../support/clock.ts';
import { noMetrics } from '../support/no-metrics.ts';
import { START, tradeOf } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

type Answer = (path: string, wallet: string) => unknown;

const seconds = (at: EpochMs) => Math.floor(at / SECOND_MS);
const refused = (path: string, status: number): never => {
  throw new UpstreamFault(`${path} answered ${status}`, { outcome: 'refused', status });
};
const noTrades = { data: [], pagination: { has_more: false, next_cursor: null } };
const endless = {
  data: [{ condition_id: '0xm1', timestamp: seconds(START - DAY_MS) }],
  pagination: { has_more: true, next_cursor: 'on' },
};

/** A market that knows the join date of some wallets and no other date; `/v2/activity` is gone. */
const withoutActivity =
  (tradesOfUndated: unknown): Answer =>
  (path, wallet) => {
    if (path === '/v2/activity') return refused(path, 410);
    const isDated = wallet.startsWith('0xda');
    if (path === '/v2/trades') return isDated ? noTrades : tradesOfUndated;
    if (path === '/public-profile') return refused(path, 404);
    return { data: isDated ? { join_date: seconds(START - DAY_MS), trades: 1 } : null };
  };

/** A buy each second for 10 minutes; three wallets in ten have no date. */
function buys(marketOf: (kind: string, n: number) => string): LiveRow[] {
  return Array.from({ length: 600 }, (_, n) => {
    const kind = n % 10 < 3 ? 'feed' : 'dated';
    const [at, marketId] = [START + n * SECOND_MS, marketOf(kind, n)];
    const trade = tradeOf({ wallet: `0x${kind}${n}`, usdc: 5_000, at, marketId, asset: marketId });
    return { row: { kind: 'trade', at, trade }, line: '' };
  });
}
const isUndated = (wallet: string) => wallet.startsWith('0xfeed');
const inOwnMarkets = (kind: string, n: number) => `0x${kind}${n % 7}`;
const inOneMarket = () => '0xm1';

/** The intake before a real detector, with facts of wallets from the market. */
async function play(rows: readonly LiveRow[], answer: Answer) {
  const clock = createFakeClock(START);
  const asked: string[] = [];
  const ages = new Map<string, WalletAge>();
  const logger = silentLogger;
  const routes = new RouteHealth(clock, logger);
  const get = (request: MarketRequest) =>
    routes.guard(request, async () => {
      const wallet = String(request.query['user'] ?? request.query['address']);
      asked.push(wallet);
      return { body: answer(request.path, wallet), ageMs: 0, asOf: clock.now() };
    });
  const facts = new WalletFactsReader({
    client: { get },
    ages: {
      get: async (wallet) => ages.get(wallet) ?? null,
      put: async (age) => void ages.set(age.wallet, age),
    },
    clock,
    routes,
    metrics: noMetrics,
    maxAgeDays: DEFAULT_RULES.fresh.maxAgeDays,
    listedUntil: clock.now,
  });
  const markets = { describe: async () => [] };
  const intake = new Intake({ facts, markets, clock, random: () => 0.5, logger, metrics: noMetrics });
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const stop = new AbortController();
  const delays = new Map<string, number>();
  const alerts: string[] = [];
  const consume = async () => {
    for await (const batch of intake.batches(stop.signal, detector))
      for (const { row } of batch) {
        if (row.kind === 'trade') delays.set(row.trade.wallet, clock.now() - row.at);
        for (const { key } of detector.judge(row).candidates) alerts.push(key);
      }
  };
  const ended = consume();
  for (const row of rows) {
    await clock.advance(row.row.kind === 'trade' ? row.row.at - clock.now() : 0);
    await intake.enqueue([row]);
  }
  await clock.advance(2 * HOUR_MS);
  const requests = asked.length;
  await clock.advance(20 * HOUR_MS);
  const result = {
    delays,
    alerts,
    requests,
    later: asked.length - requests,
    status: intake.status(),
    sleepers: clock.sleepers,
  };
  stop.abort();
  await ended;
  const requestsOf = (wallet: string) => asked.filter((of) => of === wallet).length;
  return { ...result, requestsOf };
}

const delaysOf = ({ delays }: { delays: ReadonlyMap<string, number> }) =>
  [...delays].filter(([wallet]) => !isUndated(wallet)).toSorted();
const others = (rows: readonly LiveRow[]) =>
  rows.filter(({ row }) => row.kind === 'trade' && !isUndated(row.trade.wallet));

describe('with 30 % of wallets without any date and /v2/activity refused', () => {
  test.each([
    ['no trades of theirs listed', noTrades],
    ['more trades than can be read', endless],
  ])(
    '%s: no other wallet is late by a millisecond, and nothing is retried indefinitely',
    async (_name, trades) => {
      const rows = buys(inOwnMarkets);
      const alone = await play(others(rows), withoutActivity(trades));
      const together = await play(rows, withoutActivity(trades));

      expect(alone.delays.size).toBe(420);
      expect(delaysOf(together)).toEqual(delaysOf(alone));
      expect(together.alerts).toEqual(alone.alerts);
      expect(together.delays.size).toBe(600);
      expect(together.status).toMatchObject({ trades: 0, asking: 0, givenUp: 180 });
      expect(together).toMatchObject({ later: 0, sleepers: 0 });
      expect(together.requestsOf('0xfeed1')).toBeLessThanOrEqual(10 * 8);
    },
  );

  test('in one hot outcome others wait for the sequence of its buys, 5 s at most', async () => {
    const rows = buys(inOneMarket);
    const alone = new Map(delaysOf(await play(others(rows), withoutActivity(noTrades))));
    const together = delaysOf(await play(rows, withoutActivity(noTrades)));
    const later = together.map(([wallet, delay]) => delay - (alone.get(wallet) ?? 0));
    expect(Math.max(...later)).toBeLessThanOrEqual(5 * SECOND_MS);
  });
});

test('with all four sources refusing, trades that need no facts are not late, and the questions end after 20 hours', async () => {
  const small = (n: number): LiveRow => {
    const trade = tradeOf({ wallet: `0xsmall${n}`, usdc: 10, at: START + n * SECOND_MS });
    return { row: { kind: 'trade', at: trade.at, trade }, line: '' };
  };
  const rows = buys(inOwnMarkets)
    .slice(0, 100)
    .flatMap((row, n) => [row, small(n)]);
  const smallOnes = rows.filter(({ row }) => row.kind === 'trade' && row.trade.wallet.startsWith('0xsmall'));
  const all: Answer = (path) => refused(path, 404);
  const [alone, together] = [await play(smallOnes, all), await play(rows, all)];

  const delays = [...together.delays].filter(([wallet]) => alone.delays.has(wallet));
  expect(delays.toSorted()).toEqual([...alone.delays].toSorted());
  expect(together.delays.size).toBe(200);
  expect(together.status).toMatchObject({ trades: 0, asking: 0, givenUp: 100 });
  expect(together.sleepers).toBe(0);
  // Each of three routes once in a minute, shared by all wallets, and of each wallet the profile.
  expect(together.requestsOf('0xfeed1')).toBeGreaterThan(100);
  expect(together.requestsOf('0xfeed1')).toBeLessThanOrEqual(400);
});
