import { expect, onTestFinished, test } from 'vitest';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { AppContext } from '../../src/wiring/app-context.ts';
import { wireCoverage } from '../../src/wiring/coverage.ts';
import { createFakeClock } from '../support/clock.ts';
import { createMemoryCoverage } from '../support/memory-coverage.ts';
import { START } from '../support/rows.ts';
import { silentLogger } from '../support/silent-logger.ts';

test('a page that shows whether the market is seen changes when it begins or ceases to be, or facts to be late, and at no other read', async () => {
  const clock = createFakeClock(START);
  const store = createMemoryCoverage();
  const config = { source: { kind: 'polymarket' } };
  let waiting: Record<string, unknown> = {};
  const report = async () => ({ owner: 'a', at: clock.now(), address: '', checks: { waiting } });
  const database = { coverage: store, worker: { get: report } };
  const health = wireCoverage({ config, clock, logger: silentLogger, database } as unknown as AppContext);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen = (confirmedUntil: number) =>
    store.writePosition({ since: START - 60_000, confirmedUntil, oldestWaiting: null });
  let changes = 0;
  health.onState(() => {
    changes += 1;
  });
  const changesAfter = async (ms: number) => {
    await clock.advance(ms);
    return changes;
  };

  await seen(START);
  void health.run(stop.signal);
  expect(await changesAfter(10 * SECOND_MS)).toBe(0);
  await store.putWindow({ id: 'a', startedAt: START, endedAt: null, cause: 'refused', backfilledAt: null });
  expect(await changesAfter(2 * SECOND_MS)).toBe(1);
  expect(await changesAfter(10 * SECOND_MS)).toBe(1);
  await store.putWindow({
    id: 'a',
    startedAt: START,
    endedAt: clock.now(),
    cause: 'refused',
    backfilledAt: clock.now(),
  });
  await seen(clock.now());
  expect(await changesAfter(2 * SECOND_MS)).toBe(2);

  waiting = { facts_delayed: { waiting: 3, since: new Date(START).toISOString() } };
  expect(await changesAfter(2 * SECOND_MS)).toBe(3);
  expect(health.view()?.factsDelayed).toEqual({ waiting: 3, since: START });
  waiting = { facts_delayed: null };
  expect(await changesAfter(2 * SECOND_MS)).toBe(4);
  expect(health.view()?.factsDelayed).toBeNull();
});
