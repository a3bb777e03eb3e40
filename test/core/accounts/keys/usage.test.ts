import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Usage, type UsageCounts } from '../../../../src/core/accounts/keys/usage.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../../../src/core/base/database-errors.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';
import { withMethods } from '../../../support/with-methods.ts';

const DAY = 86_400_000;
type UsageStore = Pick<UsageCounts, 'add' | 'get'>;

async function openUsage(wrap: (store: UsageStore) => UsageStore = (store) => store) {
  const database = await openDatabase('sqlite::memory:');
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const usage = new Usage({
    usage: wrap(database.usage),
    clock,
    logger,
  });
  return { usage, clock, logger, store: database.usage };
}

describe('usage', () => {
  test('today is what was counted since UTC midnight, stored or not (contract, requests_today)', async () => {
    const { usage, clock } = await openUsage();
    usage.count('a');
    usage.count('b');
    expect(await usage.today('a')).toBe(1);
    await usage.flush();
    usage.count('a');
    expect(await usage.today('a')).toBe(2);
    await clock.advance(DAY - 1);
    expect(await usage.today('a')).toBe(2);
    await clock.advance(1);
    expect(await usage.today('a')).toBe(0);
  });

  test('calls before midnight are stored under their own day, also when they are flushed after it', async () => {
    const { usage, clock, store } = await openUsage();
    usage.count('a');
    await clock.advance(DAY);
    usage.count('a');
    usage.count('a');
    await usage.flush();
    expect(await store.get('a', '2026-01-02')).toBe(1);
    expect(await store.get('a', '2026-01-03')).toBe(2);
  });

  test('what may have been stored is not stored again: the count may be short, never too long', async () => {
    const { usage, logger, store } = await openUsage((inner) => ({
      get: (...given) => inner.get(...given),
      async add(...given) {
        await inner.add(...given);
        throw new DatabaseTimeout('usage.add: outcome unknown');
      },
    }));
    usage.count('a');
    await usage.flush();
    await usage.flush();
    expect(await store.get('a', '2026-01-02')).toBe(1);
    expect(await usage.today('a')).toBe(1);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      expect.stringMatching(/the count may be short$/),
    ]);
  });

  test('today has one time limit, though a write that hangs is waited for first', async () => {
    const { usage, clock } = await openUsage((inner) =>
      withMethods(inner, { add: () => new Promise(() => {}) }),
    );
    usage.count('a');
    void usage.flush();

    const asked = usage.today('a').catch((error: unknown) => error);
    await clock.advance(DATABASE_TIMEOUT_MS);

    expect(await asked).toBeInstanceOf(DatabaseTimeout);
  });

  test('no call is lost or counted twice, however counting, flushing and asking interleave', async () => {
    const step = fc.constantFrom('count', 'flush', 'today');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { usage, store } = await openUsage();
        const answers: Promise<void>[] = [];
        let counted = 0;
        for (const name of steps) {
          if (name === 'flush') answers.push(usage.flush());
          if (name === 'count') counted += 1;
          if (name === 'count') usage.count('a');
          const least = counted;
          if (name === 'today') {
            answers.push(
              usage.today('a').then((calls) => {
                expect(calls).toBeGreaterThanOrEqual(least);
                expect(calls).toBeLessThanOrEqual(counted);
              }),
            );
          }
        }
        await Promise.all(answers);
        await usage.flush();
        expect(await store.get('a', '2026-01-02')).toBe(counted);
      }),
    );
  });
});
