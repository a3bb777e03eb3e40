import { expect, test } from 'vitest';
import { PendingFills } from '../../../src/core/detection/pending-fills.ts';
import { START, tradeOf } from '../../support/rows.ts';

test('fills that arrive out of order are taken by their own time', () => {
  const pending = new PendingFills();
  for (const [wallet, at] of [
    ['0xa', START + 9_000],
    ['0xb', START],
  ] as const)
    pending.add(tradeOf({ wallet, at }));

  expect(pending.takeBefore(START + 5_000).map(({ fill }) => fill.wallet)).toEqual(['0xb']);
  expect(pending.isEmpty).toBe(false);
  expect(pending.takeBefore(START + 10_000).map(({ fill }) => fill.wallet)).toEqual(['0xa']);
});
