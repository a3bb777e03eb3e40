import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import { LONG_CALL_MS } from '../../../src/core/base/documents/documents.ts';
import { openDatabase, withTimeLimits } from '../../../src/infra/database/database.ts';
import { isOutage } from '../../../src/infra/database/outage.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('the time limit', (fixture) => {
  test('ends a ping or a look at the clock without an answer after 4 s', async () => {
    const clock = createFakeClock(START);
    const never = () => new Promise<never>(() => {});
    const { ping, readTime } = withTimeLimits({ ...fixture.database, ping: never, readTime: never }, clock);
    const ends: unknown[] = [];
    const calls = [ping(), readTime?.()].map((call) => call?.catch((error: unknown) => ends.push(error)));

    await clock.advance(DATABASE_TIMEOUT_MS - 1);
    expect(ends).toEqual([]);
    await clock.advance(1);
    await Promise.all(calls);
    expect(ends.map(isOutage)).toEqual([true, true]);
    const reason = 'no answer from the database within 4000 ms; a write may still be executed';
    expect(ends.map(String)).toEqual(
      ['ping', 'readTime'].map((call) => expect.stringContaining(`${call}: ${reason}`)),
    );
    expect(clock.sleepers).toBe(0);
  });

  test('holds for every call of an open database, and a call of documents may have a longer one', async () => {
    const limits: number[] = [];
    const clock = createFakeClock(START);
    const noted = {
      now: clock.now,
      sleep(ms: number, signal?: AbortSignal) {
        limits.push(ms);
        return clock.sleep(ms, signal);
      },
    };
    const opened = await openDatabase(fixture.url, { clock: noted, logger: silentLogger });
    onTestFinished(opened.close);
    limits.length = 0;
    const documents = opened.documents({ kind: 'notes', schema: z.strictObject({ id: z.string() }) });
    const calls = [
      () => documents.get('a', { timeoutMs: LONG_CALL_MS }),
      () => documents.delete({ id: 'a' }, { timeoutMs: LONG_CALL_MS }),
      () => documents.get('a'),
      () => documents.find(),
      () => documents.count(),
      () => documents.insert([{ id: 'a' }]),
      () => documents.insertMissing([{ id: 'a' }]),
      () => documents.put([{ id: 'a' }]),
      () => documents.update({ id: 'a' }, { set: { id: 'a' } }),
      () => documents.updateEach([]),
      () => opened.ping(),
      ...(opened.readTime === null ? [] : [opened.readTime]),
    ];

    for (const call of calls) await call();

    const [short, long] = [DATABASE_TIMEOUT_MS, LONG_CALL_MS];
    expect(limits).toEqual([long, long, ...calls.slice(2).map(() => short)]);
  });
});
