import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { fillKey } from '../../../../../src/core/detection/fill-hash.ts';
import type { BlindCause, TimeRange } from '../../../../../src/core/trades/coverage/blind-window.ts';
import type { Trade } from '../../../../../src/core/trades/trade.ts';
import { HttpMarketClient } from '../../../../../src/infra/market/polymarket/client/http-market-client.ts';
import { TradePoll } from '../../../../../src/infra/market/polymarket/trades/trade-poll.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { budgetOf } from '../../../../support/polymarket/budget-of.ts';
import {
  type Asked,
  type SmallMarket,
  startSmallMarket,
} from '../../../../support/polymarket/small-market.ts';
import { type BookedTrade, booked, freshStatus } from '../../../../support/polymarket/trade-book.ts';
import { seededRandom } from '../../../../support/random.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

export const START = Date.UTC(2026, 10, 20, 12);
export const SECOND = START / 1_000;
/** How far the list lags behind the market at most: nothing newer is confirmed. */
export const LAG = 11_000;

interface Given {
  readonly answer: SmallMarket['answer'];
  readonly wantedFrom?: number | null;
  readonly startAt?: number;
  readonly isNothingExpected?: () => boolean;
  readonly wake?: () => Promise<void>;
}

export async function poll({
  answer,
  wantedFrom = START - 120_000,
  startAt = START,
  isNothingExpected = () => false,
  wake = () => new Promise<never>(() => {}),
}: Given) {
  const market = await startSmallMarket(answer);
  const steady = createFakeClock(startAt);
  const shift = { ms: 0 };
  const clock = { ...steady, now: () => steady.now() + shift.ms };
  const logger = createRecordingLogger();
  const client = new HttpMarketClient({
    market: { dataUrl: market.url, gammaUrl: market.url },
    budget: budgetOf(clock),
    clock,
    metrics: noMetrics,
  });
  const known = new Set<string>();
  const offers: Trade[][] = [];
  const spans: TimeRange[] = [];
  const freshAt: number[] = [];
  const failures: BlindCause[] = [];
  const drops: string[] = [];
  const listings: string[] = [];
  const trades = new TradePoll({
    client,
    clock,
    random: seededRandom(1),
    logger,
    metrics: noMetrics,
    wantedFrom,
    isNothingExpected,
    wake,
    unlistedSince: () => null,
    onDrop: (reason) => void drops.push(reason),
    onPage: () => {},
    onListed: ({ transaction }) => void listings.push(transaction),
    knows: (trade) => known.has(fillKey(trade)),
    async enqueue(rows) {
      const given = rows.flatMap(({ row }) => (row.kind === 'trade' ? [row.trade] : []));
      for (const trade of given) known.add(fillKey(trade));
      offers.push(given);
    },
    fresh: (at) => void freshAt.push(at),
    confirmed: (span) => void spans.push(span),
    failed: (cause) => void failures.push(cause),
  });
  const over = new AbortController();
  const run = trades.run(over.signal);
  onTestFinished(async () => {
    over.abort();
    await run;
    await client.close();
    await market.close();
  });
  /** Lets real answers come, and time pass in between, until the condition holds. */
  async function until(holds: () => boolean, stepMs = 0) {
    for (let i = 0; !holds(); i++) {
      if (i > 20_000) throw new Error('it never came to that');
      if (stepMs > 0 && i % 4 === 3) await clock.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const enqueued = () => offers.flat().map(({ transaction }) => transaction);
  return {
    market,
    clock,
    shift,
    trades,
    offers,
    enqueued,
    spans,
    freshAt,
    failures,
    drops,
    listings,
    logger,
    until,
    known,
    over,
    run,
  };
}

/** Newest first, one a second, the newest at the start. */
export const book = (length: number, change: Record<string, unknown> = {}): BookedTrade[] =>
  Array.from({ length }, (_, index) => booked(SECOND - index, change));
export const hashes = (rows: readonly BookedTrade[]) => rows.map(({ transactionHash }) => transactionHash);

export const answers =
  (
    lists: (asked: Asked, response: ServerResponse) => unknown,
    status: unknown = freshStatus,
  ): SmallMarket['answer'] =>
  (asked, response): unknown =>
    asked.path.endsWith('/trades') ? lists(asked, response) : status;
