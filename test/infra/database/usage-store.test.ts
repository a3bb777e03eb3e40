import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/core/database/database.ts';
import { Usage } from '../../../src/core/keys/usage.ts';
import { systemClock } from '../../../src/infra/system-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from './each-database.ts';

const DAY = '2026-11-20';
/** Keys that are called within one second. */
const KEYS = 10_000;
const BLOCK_MAX_MS = 20;
/** On a busy machine other processes interrupt some of them. */
const FLUSHES = 10;

onEachDatabase('usage store', (fixture) => {
  test('counts of several processes are added up by key and day', async () => {
    const stores = [fixture.database.usage, (await fixture.another()).usage];
    const counts = new Map([
      ['key_a', 1],
      ['__proto__', 2],
      ['7', 3],
    ]);

    await Promise.all(stores.map((usage) => usage.add(DAY, counts)));
    await stores[0]?.add('2026-11-21', new Map([['key_a', 5]]));
    await stores[0]?.add(DAY, new Map());

    const { usage } = fixture.database;
    expect(await usage.get('key_a', DAY)).toBe(2);
    expect(await usage.get('__proto__', DAY)).toBe(4);
    expect(await usage.get('7', DAY)).toBe(6);
    expect(await usage.get('key_a', '2026-11-21')).toBe(5);
    expect(await usage.get('key_b', DAY)).toBe(0);
  });

  test('days before a day are removed', async () => {
    const { usage } = fixture.database;
    for (const day of ['2026-11-18', '2026-11-19', DAY])
      await usage.add(
        day,
        new Map([
          ['key_a', 1],
          ['key_b', 1],
        ]),
      );

    expect(await usage.prune(DAY)).toBe(4);

    expect(await usage.get('key_a', '2026-11-19')).toBe(0);
    expect(await usage.get('key_a', DAY)).toBe(1);
  });

  test('storing the counters of 10,000 keys blocks the event loop for 20 ms at most', async () => {
    const blocks: number[] = [];
    while (blocks.length < FLUSHES && !blocks.some((ms) => ms <= BLOCK_MAX_MS))
      blocks.push(await longestBlock(fixture.database));

    expect(Math.min(...blocks)).toBeLessThanOrEqual(BLOCK_MAX_MS);
  }, 60_000);
});

/** The longest time, in milliseconds, in which nothing else runs while counters are stored. */
async function longestBlock({ usage: store }: Database): Promise<number> {
  const usage = new Usage({
    usage: store,
    isOutcomeUnknown: () => false,
    clock: systemClock,
    logger: silentLogger,
  });
  for (let index = 0; index < KEYS; index += 1) usage.count(`key_${index}`);
  let isFlushed = false;
  const flushed = usage.flush().then(() => {
    isFlushed = true;
  });
  let longest = 0;
  while (!isFlushed) {
    const startedAt = performance.now();
    await nextTurn();
    longest = Math.max(longest, performance.now() - startedAt);
  }
  await flushed;
  return longest;
}
