import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { BlindCause } from '../../../src/core/coverage/blind-window.ts';
import { fillHash } from '../../../src/core/detection/fill-hash.ts';
import type { Trade } from '../../../src/core/trade.ts';
import { createMarketClient } from '../../../src/infra/polymarket/http-market-client.ts';
import { createRequestBudget } from '../../../src/infra/polymarket/request-budget.ts';
import { createTradePoll } from '../../../src/infra/polymarket/trade-poll.ts';
import type { TimeSpan } from '../../../src/infra/polymarket/trade-poll-deps.ts';
import { createFakeClock } from '../../support/clock.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { type SmallMarket, startSmallMarket } from '../../support/polymarket/small-market.ts';
import {
  type BookedTrade,
  booked,
  freshStatus,
  pageV1,
  pageV2,
} from '../../support/polymarket/trade-book.ts';
import { seededRandom } from '../../support/random.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

const START = Date.UTC(2026, 10, 20, 12);
const SECOND = START / 1_000;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Given {
  readonly answer: SmallMarket['answer'];
  readonly api?: 'v1' | 'v2';
  readonly wantedFrom?: number | null;
  readonly startAt?: number;
}

async function poll({ answer, api = 'v2', wantedFrom = START - 60_000, startAt = START }: Given) {
  const market = await startSmallMarket(answer);
  const clock = createFakeClock(startAt);
  const client = createMarketClient({
    dataUrl: market.url,
    gammaUrl: market.url,
    budget: createRequestBudget({ clock }),
    clock,
    metrics: noMetrics,
  });
  const known = new Set<string>();
  const keyOf = (trade: Trade) => Object.values(fillHash(trade)).join();
  const offers: Trade[][] = [];
  const spans: TimeSpan[] = [];
  const failures: BlindCause[] = [];
  const drops: string[] = [];
  const logger = createRecordingLogger();
  const trades = createTradePoll({
    client,
    tradesApi: api,
    clock,
    random: seededRandom(1),
    logger,
    metrics: noMetrics,
    wantedFrom,
    onDrop: (reason) => void drops.push(reason),
    knows: (trade) => known.has(keyOf(trade)),
    async offer(rows) {
      const given = rows.flatMap(({ row }) => (row.kind === 'trade' ? [row.trade] : []));
      for (const trade of given) known.add(keyOf(trade));
      offers.push(given);
    },
    confirmed: (span) => void spans.push(span),
    failed: (cause) => void failures.push(cause),
  });
  const over = new AbortController();
  const run = trades.run(over.signal);
  ends.push(market.close, client.close, async () => {
    over.abort();
    await run;
  });
  /** Lets real answers come, and time go on in between, until something holds. */
  async function until(holds: () => boolean, stepMs = 0) {
    for (let i = 0; !holds(); i++) {
      if (i > 20_000) throw new Error('it never came to that');
      if (stepMs > 0 && i % 4 === 3) await clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const offered = () => offers.flat().map(({ transaction }) => transaction);
  return {
    market,
    clock,
    trades,
    offers,
    offered,
    spans,
    failures,
    drops,
    logger,
    until,
    known,
    keyOf,
    over,
    run,
  };
}

/** Newest first, one a second, the newest at the start. */
const book = (length: number, change: Record<string, unknown> = {}): BookedTrade[] =>
  Array.from({ length }, (_, index) => booked(SECOND - index, change));
const hashes = (rows: readonly BookedTrade[]) => rows.map(({ transactionHash }) => transactionHash);

test('the first round offers at once all that is listed from what is wanted on, oldest first, and confirms it', async () => {
  const listed = book(300);
  const { until, spans, offers, offered } = await poll({
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus),
  });
  await until(() => spans.length > 0);
  expect(offers).toHaveLength(1);
  expect(offered()).toEqual(hashes(listed.slice(0, 121).toReversed()));
  expect(spans[0]).toEqual({ from: START - 120_000, until: START });
});

test('what is added later is offered by the next round, and nothing twice', async () => {
  const listed = book(100);
  const { until, spans, offers, clock } = await poll({
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked, 50) : freshStatus),
  });
  await until(() => spans.length > 0);
  const added = [booked(SECOND + 1), booked(SECOND)];
  listed.unshift(...added);
  await clock.asleep(1);
  await until(() => offers.length > 1, 100);
  expect(offers[1]?.map(({ transaction }) => transaction)).toEqual(hashes(added.toReversed()));
  await until(() => spans.length > 4, 100);
  expect(offers).toHaveLength(2);
});

test('a wake begins the next round at once, but not sooner than 250 ms after the last began', async () => {
  const listed = book(10);
  const { until, spans, trades, clock } = await poll({
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked) : freshStatus),
  });
  await until(() => spans.length > 2, 100);
  trades.wake();
  await until(() => spans.length > 3, 10);
  const [before, woken] = spans.slice(2, 4).map((span) => span.until);
  expect((woken as number) - (before as number)).toBeGreaterThanOrEqual(250);
  expect((woken as number) - (before as number)).toBeLessThan(500);
  expect(clock.now()).toBeLessThan(START + 10_000);
});

test('the first start ever reaches an hour back', async () => {
  const listed = [booked(SECOND - 10), booked(SECOND - 3_599), booked(SECOND - 3_601)];
  const { until, spans, offered } = await poll({
    wantedFrom: null,
    answer: (asked) => (asked.path === '/v2/trades' ? pageV2(listed, asked) : freshStatus),
  });
  await until(() => spans.length > 0);
  expect(offered()).toEqual(hashes(listed.slice(0, 2).toReversed()));
});

test('offsets that begin again past their end do not end the walk: it goes on by time (real rows of v1)', async () => {
  const rows = gunzipSync(readFileSync('test/fixtures/nobel2025-trades.jsonl.gz'))
    .toString('utf8')
    .trim()
    .split('\n');
  const distinct = [...new Set(rows)].map((line) => JSON.parse(line) as BookedTrade);
  expect([rows.length, distinct.length]).toEqual([5_000, 1_500]);
  const newest = (distinct[0] as BookedTrade).timestamp * 1_000;
  const { until, spans, known } = await poll({
    api: 'v1',
    startAt: newest,
    wantedFrom: newest - 86_400_000,
    answer: (asked) =>
      asked.path === '/trades' ? pageV1(distinct, asked, { size: 100, wrapsAt: 300 }) : freshStatus,
  });
  await until(() => spans.length > 0, 50);
  expect(known.size).toBe(1_500);
});
