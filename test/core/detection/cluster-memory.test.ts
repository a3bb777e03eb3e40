import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ClusterMemory } from '../../../src/core/detection/cluster-memory.ts';
import { MICROS } from '../../../src/core/detection/order.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { START } from '../../support/rows.ts';

function openMemory() {
  const memory = new ClusterMemory(DEFAULT_RULES);
  const put = (wallet: string, minutes: number, usdc: number) =>
    memory.put('o', { wallet, at: START + minutes * MINUTE_MS, usdc: usdc * MICROS, shares: usdc * MICROS });
  return { memory, put };
}

test('late buys of which only some are large enough complete a cluster at a later buy', () => {
  const { memory, put } = openMemory();
  for (const wallet of ['a', 'b']) put(wallet, 10, 1_000);
  put('c', 0, 1_000);
  put('d', 0, 1);

  expect(memory.judge('o', START, ['c', 'd'])?.usdc).toBe(3_000 * MICROS);
});

test('buys that no later trade can need are dropped', () => {
  const { memory, put } = openMemory();
  put('a', 0, 1_000);
  memory.sweep(START);
  expect(memory.size).toBe(1);
  memory.sweep(START + 365 * DAY_MS);
  expect(memory.size).toBe(0);
});
