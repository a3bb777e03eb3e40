import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Candidate } from '../../../src/core/detection/candidate.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import { fromChunkText } from '../../../src/core/detection/state-chunks.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { CLOSE } from '../../support/judge-rows.ts';
import { START, tradeOf } from '../../support/rows.ts';

/** Small numbers, so that everything happens among a handful of orders. */
const RULES: DetectionRules = {
  ...DEFAULT_RULES,
  fresh: { maxAgeDays: 14, maxMarkets: 20 },
  accumulator: { ...DEFAULT_RULES.accumulator, minBuys: 2, minTotalUsdc: 1_500 },
  cluster: { ...DEFAULT_RULES.cluster, minWallets: 2, minWalletUsdc: 300, minTotalUsdc: 1_500 },
};

interface Piece {
  /** Share of the order, and after how many further rows of its second it is put. */
  readonly part: number;
  readonly place: number;
  readonly isClosedAfter: boolean;
}

interface OrderPlan {
  readonly trade: Trade;
  readonly pieces: readonly Piece[];
}

const anyPiece: fc.Arbitrary<Piece> = fc.record({
  part: fc.integer({ min: 1, max: 9 }),
  place: fc.integer({ min: 0, max: 1_000 }),
  isClosedAfter: fc.boolean(),
});

/** Buys inside the price band: a mean that leaves it, a sale or a hedge of the same second may take an alert back. */
const anyOrder: fc.Arbitrary<OrderPlan> = fc
  .record({
    wallet: fc.integer({ min: 1, max: 5 }),
    market: fc.integer({ min: 1, max: 2 }),
    second: fc.integer({ min: 0, max: 12 }),
    shares: fc.constantFrom(100.5, 700.25, 1_300.125, 2_600, 9_000.875),
    price: fc.constantFrom(0.05, 0.31, 0.5, 0.77),
    pieces: fc.array(anyPiece, { minLength: 1, maxLength: 6 }),
  })
  .map(({ wallet, market, second, shares, price, pieces }) => ({
    trade: tradeOf({
      wallet: `0xw${wallet}`,
      marketId: `0xm${market}`,
      asset: `${market}`,
      shares,
      price,
      at: START + second * 7 * MINUTE_MS,
      transaction: `0x${second}`,
    }),
    pieces,
  }));

const anyWorld = fc.uniqueArray(anyOrder, {
  minLength: 1,
  maxLength: 30,
  size: 'max',
  selector: ({ trade }) => `${trade.wallet} ${trade.asset} ${trade.at}`,
});

const rowOf = (trade: Trade): Row => ({ kind: 'trade', at: trade.at, trade });

/** The fills of an order: shares in millionths, split without a rest, at the order's price. */
function fillsOf({ trade, pieces }: OrderPlan): readonly { trade: Trade; piece: Piece }[] {
  const parts = pieces.reduce((sum, { part }) => sum + part, 0);
  const steps = Math.round(trade.shares * 8);
  let left = steps;
  return pieces.map((piece, index) => {
    const share = index === pieces.length - 1 ? left : Math.floor((steps * piece.part) / parts);
    left -= share;
    return { trade: { ...trade, shares: share / 8, transaction: `${trade.transaction}-${index}` }, piece };
  });
}

function wholeRows(orders: readonly OrderPlan[]): readonly Row[] {
  return orders.map(({ trade }) => rowOf(trade)).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function splitRows(orders: readonly OrderPlan[]): readonly Row[] {
  return orders
    .flatMap(fillsOf)
    .filter(({ trade }) => trade.shares > 0)
    .toSorted((a, b) => a.trade.at - b.trade.at || a.piece.place - b.piece.place)
    .flatMap(({ trade, piece }) => (piece.isClosedAfter ? [rowOf(trade), CLOSE] : [rowOf(trade)]));
}

/** `killAt`: rows after which the process dies and starts again from its snapshot, some rows before. */
function run(
  rows: readonly Row[],
  killAt: readonly number[],
): { detector: Detector; candidates: Candidate[] } {
  let detector = new Detector(RULES, { isComplete: true });
  let saved: { index: number; chunks: readonly string[] } = { index: 0, chunks: [] };
  const kills = new Set(killAt);
  const candidates: Candidate[] = [];
  const all = [...rows, CLOSE];
  for (let index = 0; index < all.length; index += 1) {
    candidates.push(...detector.judge(all[index] as Row).candidates);
    if (index % 3 === 0) saved = { index: index + 1, chunks: [...detector.snapshot()] };
    if (!kills.delete(index)) continue;
    detector = new Detector(RULES, { isComplete: true });
    if (saved.index > 0) detector.restore(saved.chunks);
    index = saved.index - 1;
  }
  return { detector, candidates };
}

/** What is remembered, without the sequence in which it was learnt and the fills that tell a repeat. */
function stateOf(detector: Detector): unknown {
  const parts = [...detector.snapshot()].map((chunk) => fromChunkText(chunk));
  return parts
    .filter(({ part, text }) => /wallets|clusters|markets/.test(part) && text.startsWith('['))
    .flatMap(({ part, text }) =>
      (JSON.parse(text) as unknown[]).map((item) => JSON.stringify({ part, item: sorted(item) })),
    )
    .toSorted();
}

function sorted(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(sorted);
  if (item === null || typeof item !== 'object') return item;
  const { holdings, ...rest } = item as { holdings?: readonly [string][] };
  const inSequence = holdings?.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, ...(inSequence === undefined ? {} : { holdings: inSequence }) };
}

const keysOf = (candidates: readonly Candidate[]) =>
  [...new Set(candidates.map(({ key }) => key))].toSorted();

describe('where an order is closed', () => {
  test('closed anywhere, split, shuffled and killed: the same keys and the same state as whole orders in time', () => {
    let alerts = 0;
    let closedEarly = 0;
    fc.assert(
      fc.property(anyWorld, fc.array(fc.nat({ max: 150 }), { maxLength: 3 }), (orders, killAt) => {
        const whole = run(wholeRows(orders), []);
        const split = run(splitRows(orders), killAt);
        expect(keysOf(split.candidates)).toEqual(keysOf(whole.candidates));
        expect(stateOf(split.detector)).toEqual(stateOf(whole.detector));
        alerts += whole.candidates.length;
        closedEarly += split.candidates.filter(({ key, usdc }) =>
          whole.candidates.some((alert) => alert.key === key && alert.usdc > usdc),
        ).length;
      }),
      { numRuns: 100 },
    );
    expect(alerts).toBeGreaterThan(40);
    expect(closedEarly).toBeGreaterThan(3);
  });
});
