import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removedRow, tradeLine } from '../../../../src/infra/market/polymarket/trades/trade-line.ts';
import { parseLive } from '../../../support/live-rows.ts';
import { START } from '../../../support/rows.ts';

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
