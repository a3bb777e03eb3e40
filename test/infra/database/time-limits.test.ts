import { expect, onTestFinished, test } from 'vitest';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../../src/core/base/database-errors.ts';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { isOutage } from '../../../src/infra/database/outage.ts';
import { withTimeLimits } from '../../../src/infra/database/time-limits.ts';
import { createFakeClock, type FakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { type Call, callsOf, type Method, methodNames } from './all-calls.ts';
import { onEachDatabase } from './each-database.ts';

/** The same methods, none of which ever answers. */
function hanging(database: Database): Database {
  const never: Method = () => new Promise(() => {});
  const hangingStore = <Store extends object>(store: Store) =>
    Object.fromEntries(methodNames(store).map((name) => [name, never])) as Store;
  const parts = Object.entries(database).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null ? hangingStore(part) : part,
  ]);
  return {
    ...(Object.fromEntries(parts) as Database),
    lease: (name) => hangingStore(database.lease(name)),
    ping: never as Database['ping'],
    readTime: never as Database['readTime'],
  };
}

async function timeoutOf({ method }: Call, clock: FakeClock, afterMs: number): Promise<unknown> {
  const ended = (method() as Promise<unknown>).catch((error: unknown) => error);
  const pending = Symbol('pending');
  const state = () => Promise.race([ended, new Promise((look) => setImmediate(look, pending))]);
  await clock.advance(afterMs - 1);
  expect(await state()).toBe(pending);
  await clock.advance(1);
  return state();
}

/** Work that grows with the data; each with its reason in time-limits.ts. */
const LONG = [
  'alerts.resolveMarket',
  'customers.pruneCodes',
  'questions.prune',
  'jobRuns.prune',
  'keys.list',
  'operatorReads.callsOn',
  'operatorReads.keysByTier',
  'operatorReads.keysNamed',
  'operatorReads.webhookTotals',
  'heartbeats.prune',
  'idempotency.prune',
  'usage.prune',
];

onEachDatabase('the time limit', (fixture) => {
  const stuck = (clock: FakeClock) => callsOf(withTimeLimits(hanging(fixture.database), clock));

  test('ends every call of every store after 4 s; only the listed ones after 60 s', async () => {
    const clock = createFakeClock(START);
    const calls = stuck(clock);
    expect(calls.length).toBeGreaterThan(100);

    for (const call of calls) {
      const afterMs = LONG.includes(call.name) ? 60_000 : DATABASE_TIMEOUT_MS;
      const error = await timeoutOf(call, clock, afterMs);
      expect(error, call.name).toBeInstanceOf(DatabaseTimeout);
      expect(isOutage(error)).toBe(true);
      expect(String(error)).toContain(
        `${call.name}: no answer from the database within ${afterMs} ms; a write may`,
      );
    }
    expect(clock.sleepers).toBe(0);
  });

  test('leaves answers as they are, in time, and no timer behind', async () => {
    const clock = createFakeClock(START);
    const { usage, lease, ping, pauses: switches } = withTimeLimits(fixture.database, clock);

    await usage.add('2026-11-22', new Map([['key_a', 2]]));
    await ping();

    expect(await usage.get('key_a', '2026-11-22')).toBe(2);
    expect(await switches.list()).toEqual([]);
    expect(await lease('bots').acquire({ owner: 'a', now: START, ttlMs: 1, isGone: () => false })).toEqual({
      epoch: 1,
    });
    expect(clock.sleepers).toBe(0);
  });

  test('holds for every call of what `openDatabase` gives', async () => {
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

    for (const { name, method } of callsOf(opened)) {
      limits.length = 0;
      // Without arguments most of them fail, but not before their time is limited.
      await Promise.allSettled([method()]);
      expect(limits, name).toEqual([LONG.includes(name) ? 60_000 : DATABASE_TIMEOUT_MS]);
    }
  });
});
