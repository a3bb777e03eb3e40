import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../../src/core/base/time/duration.ts';
import type { BlockReader } from '../../../../../src/infra/market/polymarket/chain/block-reader.ts';
import { RpcFault } from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';
import type { LogVolume } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { VolumeSampler } from '../../../../../src/infra/market/polymarket/chain/volume-sampler.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { START } from '../../../../support/rows.ts';

const NOTHING: LogVolume = { watched: 0, combos: 0, elsewhere: 0 };

/** A sampler that runs on a node whose blocks have this volume. */
async function run(volume: BlockReader['volume'], clock = createFakeClock(START)) {
  const state = { isAtHead: true };
  const head = () =>
    state.isAtHead ? { number: 1_000, hash: '', parentHash: '', at: clock.now(), logsBloom: '' } : null;
  const sampler = new VolumeSampler({ reader: { volume }, clock, head });
  const ending = new AbortController();
  const ended = sampler.run(ending.signal);
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      await clock.advance(MINUTE_MS);
      await setImmediate();
    }
  };
  await setImmediate();
  const stop = async () => {
    ending.abort();
    await ended;
  };
  return { state, sampler, minutes, stop };
}

test('the shares of a day are sums of 5 blocks every 5 minutes; older ones and those of a node behind do not count', async () => {
  const asked: unknown[] = [];
  const clock = createFakeClock(START);
  const { state, sampler, minutes, stop } = await run(async (span) => {
    asked.push(span);
    const hour = Math.floor((clock.now() - START) / HOUR_MS);
    if (hour === 0) return { watched: 1, combos: 99, elsewhere: 0 };
    return { watched: 80, combos: 20, elsewhere: 25 };
  }, clock);
  expect(asked).toEqual([{ from: 993, to: 997, isEverywhere: true }]);
  expect(sampler.volume()).toEqual({
    ...{ since: START, until: START, blocks: 5, usdc: 100, combos: 0.99, otherContracts: 0 },
  });
  await minutes(25 * 60);
  expect(sampler.volume()).toEqual({
    since: START + HOUR_MS + 5 * MINUTE_MS,
    until: START + 25 * HOUR_MS,
    ...{ blocks: 288 * 5, usdc: 288 * 100, combos: 0.2, otherContracts: 0.2 },
  });
  state.isAtHead = false;
  const count = asked.length;
  await minutes(10);
  expect(asked).toHaveLength(count);
  await stop();
});

test('a node that does not search all contracts shows combos, and of other contracts nothing is known', async () => {
  const { sampler, stop } = await run(async ({ isEverywhere }) => {
    if (isEverywhere) throw new RpcFault('specify an address');
    return { watched: 75, combos: 25, elsewhere: 0 };
  });
  expect(sampler.volume()).toMatchObject({ usdc: 100, combos: 0.25, otherContracts: null });
  await stop();
});

test.each<[string, BlockReader['volume']]>([
  ['that fails', () => Promise.reject(new RpcFault('rate limit'))],
  ['that lags and answers with an empty list', async () => NOTHING],
])('of a node %s nothing is known, instead of 0; the next minute asks again', async (_, volume) => {
  let asked = 0;
  const { sampler, minutes, stop } = await run((...given) => {
    asked += 1;
    return volume(...given);
  });
  expect(sampler.volume()).toBeNull();
  const before = asked;
  await minutes(1);
  expect(asked).toBeGreaterThan(before);
  await stop();
});
