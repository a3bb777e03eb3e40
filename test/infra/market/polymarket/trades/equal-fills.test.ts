import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillKey } from '../../../../../src/core/detection/fill-hash.ts';
import {
  type ListedFill,
  numberEqualFills,
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
