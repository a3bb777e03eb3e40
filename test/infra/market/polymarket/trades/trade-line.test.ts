import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillKey } from '../../../../../src/core/detection/fill-hash.ts';
import {
  type ListedFill,
  numberEqualFills,
  removedRow,
  tradeLine,
} from '../../../../../src/infra/market/polymarket/trades/trade-line.ts';
import { parseLive } from '../../../../support/live-rows.ts';
import { upstreamTrade } from '../../../../support/polymarket/upstream-rows.ts';
import { START } from '../../../../support/rows.ts';

function listed(given: Record<string, unknown>): ListedFill {
  const live = tradeLine(upstreamTrade({ transactionHash: '0xf0', ...given }), START);
  if ('kind' in live || live.row.kind !== 'trade') throw new Error('no trade');
  return { live, trade: live.row.trade };
}

const pricesWithOrdinals = (fills: readonly ListedFill[]) =>
  numberEqualFills(fills).map(({ trade }) => [trade.price, trade.ordinal]);

test('equal rows of one answer are numbered by ascending price, in whatever order they are listed', () => {
  const prices = [0.32, 0.3, 0.31];
  expect(pricesWithOrdinals(prices.map((price) => listed({ price })))).toEqual([
    [0.32, 3],
    [0.3, 1],
    [0.31, 2],
  ]);
});

test.each([
  ['transaction', { transactionHash: '0xf1' }],
  ['wallet', { proxyWallet: '0xb' }],
  ['token', { asset: '1002' }],
  ['side', { side: 'SELL' }],
  ['size', { size: 1_000.5 }],
])('rows of another %s are not counted with them', (_name, other) => {
  const fills = [listed({ price: 0.31 }), listed({ price: 0.3, ...other })];
  expect(numberEqualFills(fills)).toBe(fills);
});

test('the line carries `n` from the second on, and read again gives the very row', () => {
  const lines = numberEqualFills([listed({ price: 0.31 }), listed({ price: 0.3 })]).map(({ live }) => live);
  expect(lines.map(({ line }) => (JSON.parse(line) as { n?: number }).n)).toEqual([2, undefined]);
  for (const { line, row } of lines) expect(parseLive(line, START)).toStrictEqual(row);
});

test('whatever a page lists, each of its rows has a key of its own and stays in its place', () => {
  const anyFill = fc.record({
    price: fc.constantFrom(0.3, 0.3, 0.31, 0.5),
    size: fc.constantFrom(1, 2),
    side: fc.constantFrom('BUY', 'SELL'),
  });
  fc.assert(
    fc.property(fc.array(anyFill, { maxLength: 12 }), (given) => {
      const fills = given.map(listed);
      const numbered = numberEqualFills(fills);
      expect(new Set(numbered.map(({ trade }) => fillKey(trade))).size).toBe(fills.length);
      expect(numbered.map(({ trade }) => ({ ...trade, ordinal: 1 }))).toEqual(
        fills.map(({ trade }) => trade),
      );
    }),
  );
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const number = (arbitrary: fc.Arbitrary<number>) => fc.oneof(arbitrary, arbitrary.map(String));
const size = fc.oneof(
  fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
  fc.integer({ min: 1, max: 1_000_000 }),
);

const fill = fc.record(
  {
    proxyWallet: fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    side: fc.constantFrom('BUY', 'SELL'),
    asset: fc.bigInt({ min: 1n, max: 10n ** 77n }).map(String),
    conditionId: fc.stringMatching(/^0x(?:[0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/),
    size: number(size),
    price: number(fc.double({ min: 0, max: 1, noNaN: true })),
    timestamp: number(fc.integer({ min: START / 1_000 - 1e6, max: START / 1_000 + 3_600 })),
    title: text,
    slug: text,
    eventSlug: text,
    outcome: text,
    outcomeIndex: fc.nat(5),
    transactionHash: fc.stringMatching(/^0x[0-9a-fA-F]{64}$/),
    n: fc.option(fc.integer({ min: 1, max: 10_000 })),
    role: fc.constantFrom('taker', 'maker', null, 'both'),
    unknown: fc.jsonValue(),
  },
  { noNullPrototype: true },
);

test('a line of the feed, or of a fill removed, read again from the journal gives the very row that was judged', () => {
  fc.assert(
    fc.property(fill, fc.boolean(), fc.nat(1e9), (raw, isLenient, later) => {
      const live = tradeLine(raw, START, { isLenient });
      if (!('line' in live)) return fc.pre(false);
      expect(live.line).not.toContain('\n');
      expect(parseLive(live.line, START + later)).toStrictEqual(live.row);
      const removed = removedRow(live);
      expect(removed.row).toStrictEqual({ ...live.row, kind: 'removed' });
      expect(parseLive(removed.line, START + later)).toStrictEqual(removed.row);
    }),
    { numRuns: 500 },
  );
});
