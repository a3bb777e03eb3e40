import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  REPORT_INTERVAL_MS,
  reportWorker,
  type WorkerReport,
} from '../../../src/core/operations/worker-report.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { createFakeClock } from '../../support/clock.ts';

const WORKER = { owner: 'host/1', address: 'http://127.0.0.1:8080' };

async function openReport() {
  const clock = createFakeClock(1_000_000);
  const reports: WorkerReport[] = [];
  const removed: string[] = [];
  const warnings: string[] = [];
  const store = { mode: 'up' as 'up' | 'throws' | 'hangs', isReady: true };
  const answer = <T>(value: T) => {
    if (store.mode === 'throws') throw new Error('connection lost');
    return store.mode === 'hangs' ? new Promise<T>(() => {}) : value;
  };
  const deps: Parameters<typeof reportWorker>[0] = {
    worker: {
      put: async (given) => void reports.push(await answer(given)),
      remove: async (owner) => void removed.push(await answer(owner)),
    },
    ...WORKER,
    checks: async () => answer({ database: { ready: store.isReady } }),
    clock,
    logger: { warn: (_: object, message: string) => void warnings.push(message) },
  };
  const stop = new AbortController();
  const running = reportWorker(deps, stop.signal);
  const end = () => {
    stop.abort();
    return running;
  };
  await settled();
  return { clock, reports, removed, warnings, store, end };
}

test('the worker reports its checks immediately and then every 10 s, and takes its report back when it is stopped', async () => {
  const { clock, reports, removed, store, end } = await openReport();
  store.isReady = false;
  await clock.advance(REPORT_INTERVAL_MS);

  expect(reports).toEqual([
    { ...WORKER, at: 1_000_000, checks: { database: { ready: true } } },
    { ...WORKER, at: 1_010_000, checks: { database: { ready: false } } },
  ]);
  expect(removed).toEqual([]);
  await end();
  expect([removed, clock.sleepers]).toEqual([['host/1'], 0]);
});

test.each(['throws', 'hangs'] as const)('a report that cannot be stored (%s) is left out', async (mode) => {
  const { clock, reports, warnings, store, end } = await openReport();
  store.mode = mode;
  await clock.advance(40_000);
  expect([reports.length, new Set(warnings).size]).toEqual([1, 1]);

  store.mode = 'up';
  await clock.advance(20_000);
  expect(reports.length).toBeGreaterThan(1);
  await end();
});

test.each(['throws', 'hangs'] as const)(
  'a store that %s at the end does not keep the process',
  async (mode) => {
    const { clock, store, end } = await openReport();
    store.mode = mode;
    const ended = end();
    await settled();
    await clock.advance(2_000);
    await ended;
    expect(clock.sleepers).toBe(0);
  },
);

onSqlite('the stored report of the worker', (fixture) => {
  test('is the last one, and is taken back by its own worker alone', async () => {
    const { worker } = fixture.database;
    const report = { owner: 'host/1', at: 1_000_000, address: 'http://localhost:8080', checks: { disk: {} } };
    expect(await worker.get()).toBeNull();
    await worker.put({ ...report, owner: 'host/0' });
    await worker.put(report);

    await worker.remove('host/0');
    expect(await worker.get()).toStrictEqual(report);
    await worker.remove('host/1');
    expect(await worker.get()).toBeNull();
  });
});
