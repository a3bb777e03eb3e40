import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ClusterMemory } from '../../../src/core/detection/cluster-memory.ts';
import { MICROS } from '../../../src/core/detection/order.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { START } from '../../support/rows.ts';

function openMemory() {
  const memory = new ClusterMemory(DEFAULT_RULES);
  const put = (wallet: string, minutes: number, usdc: number) =>
    memory.put('o', { wallet, at: START + minutes * MINUTE_MS, usdc: usdc * MICROS, shares: usdc * MICROS });
  const judge = (minutes: number, ...buyers: readonly string[]) =>
    memory.judge('o', START + minutes * MINUTE_MS, buyers)?.usdc ?? null;
  return { memory, put, judge };
}

/** A cluster of 3,000 USDC at minute 0, to which a buy of 3,000 is added that was too early to be judged. */
function openAlerted() {
  const { put, judge } = openMemory();
  for (const wallet of ['a', 'b', 'c']) put(wallet, 0, 1_000);
  expect(judge(0, 'a', 'b', 'c')).toBe(3_000 * MICROS);
  put('d', -1, 3_000);
  return { put, judge };
}

test.each([
  ['in the window of the last cluster raises what the next has to reach', -60, null],
  ['before the window of the last cluster does not', -60.001, 6_300 * MICROS],
])('a late buy %s', (_, minutes, next) => {
  const { put, judge } = openAlerted();
  put('e', minutes, 1_000);
  expect(judge(minutes, 'e')).toBeNull();

  put('f', 5, 300);
  expect(judge(5, 'f')).toBe(next);
});

test('late buys of which only some are large enough complete a cluster at a later buy', () => {
  const { put, judge } = openMemory();
  for (const wallet of ['a', 'b']) put(wallet, 10, 1_000);
  for (const [wallet, usdc] of [
    ['c', 1_000],
    ['d', 1],
  ] as const)
    put(wallet, 0, usdc);

  expect(judge(0, 'c', 'd')).toBe(3_000 * MICROS);
});

test('buys that no later trade can need are dropped', () => {
  const { memory, put } = openMemory();
  put('a', 0, 1_000);
  memory.sweep(START);
  expect(memory.size).toBe(1);
  memory.sweep(START + 365 * 24 * 60 * MINUTE_MS);
  expect(memory.size).toBe(0);
});
