import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { Intake } from '../../../../src/core/ingest/intake.ts';
import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import type { Knowledge, LiveRow } from '../../../../src/core/trades/source/source.ts';
import type { Row, Trade } from '../../../../src/core/trades/trade.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { seededRandom } from '../../../support/random.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { eventLoopTurn, liveMarket, liveTrade, settledFacts } from './intake-fixture.ts';

const NEEDED_FROM = 250;
const trades = fc.array(
  fc.record({
    wallet: fc.integer({ min: 0, max: 3 }),
    usdc: fc.constantFrom(10, 100, 300),
    isAgain: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

/** What the detector promises, and nothing else: judged trades, and what a wallet bought before its facts. */
function createModel() {
  const seen = new Set<string>();
  const informed = new Set<string>();
  const bought = new Map<string, number>();
  const early: string[] = [];
  const usdcOf = ({ shares, price }: Trade) => shares * price;
  const knowledge: Knowledge = {
    time: START,
    hasSeen: ({ transaction }) => seen.has(transaction),
    needsFacts: (fill, also) =>
      !informed.has(fill.wallet) && (bought.get(fill.wallet) ?? 0) + also + usdcOf(fill) >= NEEDED_FROM,
    mayAlert: () => true,
    hasFacts: (wallet) => informed.has(wallet),
    knowsMarket: () => false,
  };
  const judge = (row: Row) => {
    if (row.kind === 'wallet') informed.add(row.facts.wallet);
    if (row.kind !== 'trade') return;
    if (knowledge.needsFacts(row.trade, 0)) early.push(row.trade.transaction);
    seen.add(row.trade.transaction);
    bought.set(row.trade.wallet, (bought.get(row.trade.wallet) ?? 0) + usdcOf(row.trade));
  };
  return { knowledge, judge, early };
}

async function play(rows: readonly LiveRow[], seed: number) {
  const random = seededRandom(seed);
  const clock = createFakeClock(START);
  const model = createModel();
  const stopped = new AbortController();
  const ask = async (wallet: string): Promise<WalletFactsAnswer> => {
    await clock.sleep(random() * MINUTE_MS);
    const fate = random();
    if (fate < 0.3) throw new Error('down');
    return fate < 0.5 ? { kind: 'unsettled', reason: 'none yet' } : settledFacts(wallet);
  };
  const describe = async (ids: readonly string[]) => (random() < 0.5 ? [] : ids.map(liveMarket));
  const logger = silentLogger;
  const intake = new Intake({
    facts: { ask },
    markets: { describe },
    clock,
    random,
    logger,
    metrics: noMetrics,
  });
  const handed: Row[] = [];
  const consumed = (async () => {
    for await (const batch of intake.batches(stopped.signal, model.knowledge))
      for (const { row } of batch) {
        model.judge(row);
        handed.push(row);
      }
  })();
  for (let next = 0; next < rows.length; ) {
    const count = 1 + Math.floor(random() * 5);
    await intake.enqueue(rows.slice(next, next + count));
    next += count;
    await eventLoopTurn();
    await clock.advance(random() * 20 * SECOND_MS);
    await eventLoopTurn();
  }
  while (intake.oldestWaiting() !== null) {
    await clock.advance(10 * SECOND_MS);
    await eventLoopTurn();
  }
  stopped.abort();
  await consumed;
  return { handed, early: model.early };
}

const tradesOf = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'trade' ? [row.trade] : []));
const transactions = (rows: readonly Row[], wallet?: string) =>
  tradesOf(rows)
    .filter((trade) => wallet === undefined || trade.wallet === wallet)
    .map(({ transaction }) => transaction);

const anyOffers = trades.map((given) => {
  const once = given.map(({ wallet, usdc }, n) =>
    liveTrade(tradeOf({ wallet: `0xw${wallet}`, usdc, at: START + n * SECOND_MS })),
  );
  const enqueued = once.flatMap((row, n) => {
    const again = once[Math.floor(n / 2)] as LiveRow;
    return given[n]?.isAgain === true ? [row, again] : [row];
  });
  return { once: once.map(({ row }) => row), enqueued };
});

test('each trade is passed on once, each wallet’s in the order enqueued, never before facts it needs', async () => {
  await fc.assert(
    fc.asyncProperty(anyOffers, fc.nat(), async ({ once, enqueued }, seed) => {
      const { handed, early } = await play(enqueued, seed);
      expect(transactions(handed).toSorted()).toEqual(transactions(once).toSorted());
      for (let n = 0; n < 4; n += 1)
        expect(transactions(handed, `0xw${n}`)).toEqual(transactions(once, `0xw${n}`));
      expect(early).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
