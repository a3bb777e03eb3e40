import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Usage } from '../../../src/core/accounts/keys/usage.ts';
import type { Database } from '../../../src/core/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from './each-database.ts';

/** Keys that are called within one second. */
const KEYS = 10_000;
/** Of the processor time of a flush; a slice of 500 keys is a twentieth. */
const BLOCK_SHARE_MAX = 0.2;
/** The first ones run code that is not compiled yet, and any may be interrupted by a garbage collection. */
const FLUSHES = 10;

onEachDatabase('usage store', (fixture) => {
  test('the history is that of one key and of the days that are asked for', async () => {
    const { usage } = fixture.database;
    for (const [day, calls] of [
      ['2026-01-01', 1],
      ['2026-01-02', 2],
      ['2026-01-04', 4],
    ] as const)
      await usage.add(
        day,
        new Map([
          ['key_a', calls],
          ['key_b', 9],
        ]),
      );

    const found = await usage.history('key_a', ['2026-01-02', '2026-01-03', '2026-01-04']);

    expect([...found].toSorted()).toEqual([
      ['2026-01-02', 2],
      ['2026-01-04', 4],
    ]);
  });

  test('storing the counters of 10,000 keys leaves the event loop free between slices', async () => {
    const shares: number[] = [];
    while (shares.length < FLUSHES && !shares.some((share) => share <= BLOCK_SHARE_MAX))
      shares.push(await longestBlockShare(fixture.database));

    expect(Math.min(...shares)).toBeLessThanOrEqual(BLOCK_SHARE_MAX);
  }, 60_000);
});

/** The share of a flush's processor time, on this thread, of the longest stretch in which nothing else runs. */
async function longestBlockShare({ usage: store }: Database): Promise<number> {
  const usage = new Usage({
    usage: store,
    isOutcomeUnknown: () => false,
    yieldToLoop: nextTurn,
    clock: systemClock,
    logger: silentLogger,
  });
  for (let index = 0; index < KEYS; index += 1) usage.count(`key_${index}`);
  let isFlushed = false;
  const flushed = usage.flush().finally(() => {
    isFlushed = true;
  });
  let longest = 0;
  let total = 0;
  while (!isFlushed) {
    const before = process.threadCpuUsage();
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    total += user + system;
  }
  await flushed;
  return longest / total;
}
