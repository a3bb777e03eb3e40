import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeRows } from '../../support/judge-rows.ts';
import { START, tradeOf, walletRow } from '../../support/rows.ts';

/** Small numbers, so that clusters and accumulations happen among a handful of trades. */
const SMALL: DetectionRules = {
  ...DEFAULT_RULES,
  significantUsdc: 1_000,
  accumulator: { ...DEFAULT_RULES.accumulator, minBuys: 2, minTotalUsdc: 900 },
  cluster: { ...DEFAULT_RULES.cluster, minWallets: 2, minWalletUsdc: 500, minTotalUsdc: 1_200 },
};
const PARTIAL = { isComplete: false };

interface World {
  readonly trades: readonly Trade[];
  readonly ageDays: readonly number[];
  /** Markets of which the wallet's first trades are before the tape. */
  readonly marketsBefore: readonly number[];
}

const WALLETS = 4;
const anyTrade = fc.record({
  wallet: fc.integer({ min: 0, max: WALLETS - 1 }),
  market: fc.constantFrom(1, 1, 1, 1, 2, 3, 4),
  outcome: fc.constantFrom(0, 0, 0, 1),
  usdc: fc.constantFrom(20, 120, 260, 400, 700, 1_500),
  price: fc.constantFrom(0.005, 0.08, 0.3, 0.3, 0.6, 0.97),
  minute: fc.integer({ min: 0, max: 240 }),
  side: fc.constantFrom('BUY' as const, 'BUY' as const, 'BUY' as const, 'SELL' as const),
  transaction: fc.integer({ min: 1, max: 40 }),
});

const anyWorld: fc.Arbitrary<World> = fc
  .record({
    // Facts are asked for by whole orders: their fills are put together before.
    trades: fc.uniqueArray(anyTrade, {
      minLength: 5,
      maxLength: 60,
      size: 'max',
      selector: ({ wallet, market, outcome, minute, side }) => [wallet, market, outcome, minute, side].join(),
    }),
    ageDays: fc.tuple(...Array.from({ length: WALLETS }, () => fc.constantFrom(0, 2, 13.9, 20))),
    marketsBefore: fc.tuple(...Array.from({ length: WALLETS }, () => fc.constantFrom(0, 0, 2, 5))),
  })
  .map(({ trades, ...world }) => ({
    ...world,
    trades: trades
      .toSorted((a, b) => a.minute - b.minute)
      .map(({ wallet, market, outcome, minute, transaction, ...trade }) =>
        tradeOf({
          ...trade,
          wallet: `0xw${wallet}`,
          marketId: `0xm${market}`,
          asset: `${market}${outcome}`,
          outcomeIndex: outcome,
          transaction: `0xt${transaction}`,
          at: START + minute * MINUTE_MS,
        }),
      ),
  }));

const rowOf = (trade: Trade): Row => ({ kind: 'trade', at: trade.at, trade });

/** What the market says of a wallet at a moment: it knows all that was traded before it. */
function factsOf(world: World, wallet: string, before: number): Row {
  const index = Number(wallet.slice(3));
  const traded = new Set(
    world.trades.slice(0, before).flatMap((trade) => (trade.wallet === wallet ? [trade.marketId] : [])),
  );
  return walletRow({
    wallet,
    createdAt: START - (world.ageDays[index] as number) * DAY_MS,
    marketsTraded: (world.marketsBefore[index] as number) + traded.size,
  });
}

function knownFromTheStart(world: World): readonly Candidate[] {
  const detector = new Detector(SMALL, PARTIAL);
  for (let wallet = 0; wallet < WALLETS; wallet += 1) detector.judge(factsOf(world, `0xw${wallet}`, 0));
  return judgeRows(detector, world.trades.map(rowOf));
}

/** Facts only when the detector first says that it needs them; it starts again from a snapshot on the way. */
function knownWhenNeeded(world: World, restartAt: number): readonly Candidate[] {
  let detector: Detector = new Detector(SMALL, PARTIAL);
  const found = world.trades.flatMap((trade, index) => {
    if (index === restartAt) {
      const chunks = [...detector.snapshot()];
      detector = new Detector(SMALL, PARTIAL);
      detector.restore(chunks);
    }
    if (detector.needsFacts(trade, 0)) detector.judge(factsOf(world, trade.wallet, index));
    return detector.judge(rowOf(trade)).candidates;
  });
  return [...found, ...detector.judge(CLOSE).candidates];
}

describe('facts on demand', () => {
  test('wallet facts passed when they are first needed give the same alerts as facts known from the start', () => {
    let alerts = 0;
    const types = new Set<string>();
    fc.assert(
      fc.property(anyWorld, fc.nat({ max: 60 }), (world, restartAt) => {
        const expected = knownFromTheStart(world);
        alerts += expected.length;
        for (const { type } of expected) types.add(type);
        expect(knownWhenNeeded(world, restartAt)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
    expect([...types].toSorted()).toEqual(['cluster', 'fresh', 'fresh_accumulator']);
    expect(alerts).toBeGreaterThan(15);
  });
});

describe('what the detector needs', () => {
  const detector = () => new Detector(DEFAULT_RULES, PARTIAL);
  const buys = (usdc: number, at: EpochMs = START) => tradeOf({ usdc, at });

  test('no facts for what can lead to no alert: sales, settlement sweeps, ignored markets, too small a sum', () => {
    const needs = (given: Parameters<typeof tradeOf>[0]) => detector().needsFacts(tradeOf(given), 0);
    expect(needs({ usdc: 5_000 })).toBe(true);
    expect(needs({ usdc: 5_000, side: 'SELL' })).toBe(false);
    expect(needs({ usdc: 5_000, price: 0.97 })).toBe(false);
    expect(needs({ usdc: 5_000, slug: 'btc-updown-15m-1763740800', title: 'Bitcoin Up or Down' })).toBe(
      false,
    );
    expect(needs({ usdc: 249 })).toBe(false);
  });

  test('small buys are summed up, those that are not judged yet with them', () => {
    const judged = detector();
    judged.judge(rowOf(buys(100)));
    expect(judged.needsFacts(buys(100), 0)).toBe(false);
    expect(judged.needsFacts(buys(100), 60)).toBe(true);
    judged.judge(rowOf(buys(100)));
    expect(judged.needsFacts(buys(100), 0)).toBe(true);
  });

  test('a sum that is the threshold in millionths is enough, whatever its floats say', () => {
    const fill = tradeOf({ shares: 3_571.428571, price: 0.07 });
    expect(fill.shares * fill.price).toBeLessThan(250);
    expect(detector().needsFacts(fill, 0)).toBe(true);
    expect(detector().needsFacts(tradeOf({ usdc: 249.99 }), 0)).toBe(false);
  });

  test('no facts of a wallet that has them, nor of one that is permanently too old', () => {
    const judged = detector();
    judged.judge(walletRow({ marketsTraded: 0 }));
    expect(judged.needsFacts(buys(5_000), 0)).toBe(false);
    const old = tradeOf({ wallet: '0xold', usdc: 5_000 });
    judged.judge(walletRow({ wallet: '0xold', createdAt: START - 17 * DAY_MS, marketsTraded: null }));
    expect(judged.needsFacts(old, 0)).toBe(true);
    judged.judge(rowOf(old));
    judged.judge(rowOf(tradeOf({ wallet: '0xother', usdc: 1, at: START + 1_000 })));
    judged.judge(rowOf(tradeOf({ wallet: '0xold', usdc: 5_000, at: START + 2_000 })));
    expect(judged.needsFacts(tradeOf({ wallet: '0xold', usdc: 5_000 }), 0)).toBe(false);
  });
});

describe('a full memory of wallets', () => {
  const rules = { ...DEFAULT_RULES, memory: { ...DEFAULT_RULES.memory, wallets: 2 } };
  const quiet = tradeOf({ wallet: '0xquiet', usdc: 200 });
  const busy = ['0xb1', '0xb2'].map((wallet) => rowOf(tradeOf({ wallet, usdc: 10 })));
  const back = tradeOf({ wallet: '0xquiet', usdc: 5_000, at: START + MINUTE_MS });

  test('on a partial source forgets the quiet wallet: its facts are needed again, and it is found', () => {
    const detector = new Detector(rules, PARTIAL);
    for (const row of [walletRow({ wallet: '0xquiet' }), rowOf(quiet), CLOSE, ...busy, CLOSE])
      detector.judge(row);
    expect(detector.needsFacts(back, 0)).toBe(true);
    detector.judge(walletRow({ wallet: '0xquiet', marketsTraded: 1 }));
    expect(judgeRows(detector, [rowOf(back)])).toMatchObject([{ type: 'fresh', wallet: '0xquiet' }]);
  });

  test('a wallet with a position of 250 USDC or more leaves after all that have none, and each that leaves is counted', () => {
    const detector = new Detector(rules, PARTIAL);
    const large = tradeOf({ wallet: '0xlarge', usdc: 250 });
    for (const row of [walletRow({ wallet: '0xlarge' }), rowOf(large), CLOSE, ...busy, CLOSE])
      detector.judge(row);
    expect(detector.hasFacts('0xlarge')).toBe(true);
    expect(detector.memory).toMatchObject({ wallets: 2, evicted: { wallet: 1, wallet_with_position: 0 } });

    const others = ['0xl1', '0xl2'].map((wallet) => rowOf(tradeOf({ wallet, usdc: 300 })));
    for (const row of [...others, CLOSE]) detector.judge(row);
    expect(detector.hasFacts('0xlarge')).toBe(false);
    expect(detector.memory).toMatchObject({ wallets: 2, evicted: { wallet: 2, wallet_with_position: 1 } });
  });

  test('of positions lets wallets go until there is room', () => {
    const memory = { ...DEFAULT_RULES.memory, positions: 4 };
    const detector = new Detector({ ...DEFAULT_RULES, memory }, PARTIAL);
    const trades = Array.from({ length: 20 }, (_, n) =>
      rowOf(
        tradeOf({
          wallet: `0xw${Math.floor(n / 2)}`,
          marketId: `0xm${n}`,
          asset: `${n}`,
          at: START + n * 1_000,
          usdc: 10,
        }),
      ),
    );
    for (const row of [...trades, CLOSE]) detector.judge(row);
    expect(detector.memory.positions).toBeLessThanOrEqual(4 + 2);
    expect(detector.memory).toMatchObject({ wallets: 3, evicted: { wallet: 7 } });
  });
});
