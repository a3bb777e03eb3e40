import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  HEARTBEAT_INTERVAL_MS,
  type Heartbeat,
  sendHeartbeats,
} from '../../../src/core/operations/heartbeat.ts';
import { createFakeClock } from '../../support/clock.ts';

const BEAT = { owner: 'host/1', roles: 'api' as const, address: 'http://127.0.0.1:8080' };

async function openHeartbeat() {
  const clock = createFakeClock(1_000_000);
  const beats: Heartbeat[] = [];
  const removed: string[] = [];
  const warnings: string[] = [];
  const store = { mode: 'up' as 'up' | 'throws' | 'hangs', isReady: true };
  const answer = <T>(value: T) => {
    if (store.mode === 'throws') throw new Error('connection lost');
    return store.mode === 'hangs' ? new Promise<T>(() => {}) : value;
  };
  const deps: Parameters<typeof sendHeartbeats>[0] = {
    heartbeats: {
      beat: async (given) => void beats.push(await answer(given)),
      remove: async (owner) => void removed.push(await answer(owner)),
    },
    ...BEAT,
    checks: async () => answer({ database: { ready: store.isReady } }),
    clock,
    logger: { warn: (_: object, message: string) => void warnings.push(message) },
  };
  const stop = new AbortController();
  const running = sendHeartbeats(deps, stop.signal);
  const end = () => {
    stop.abort();
    return running;
  };
  await settled();
  return { clock, beats, removed, warnings, store, end };
}

test('a process reports its checks immediately and then every 10 s, and takes its report back when it is stopped', async () => {
  const { clock, beats, removed, store, end } = await openHeartbeat();
  store.isReady = false;
  await clock.advance(HEARTBEAT_INTERVAL_MS);

  expect(beats).toEqual([
    { ...BEAT, at: 1_000_000, checks: { database: { ready: true } } },
    { ...BEAT, at: 1_010_000, checks: { database: { ready: false } } },
  ]);
  expect(removed).toEqual([]);
  await end();
  expect([removed, clock.sleepers]).toEqual([['host/1'], 0]);
});

test.each(['throws', 'hangs'] as const)('a beat that cannot be given (%s) is left out', async (mode) => {
  const { clock, beats, warnings, store, end } = await openHeartbeat();
  store.mode = mode;
  await clock.advance(40_000);
  expect([beats.length, new Set(warnings).size]).toEqual([1, 1]);

  store.mode = 'up';
  await clock.advance(20_000);
  expect(beats.length).toBeGreaterThan(1);
  await end();
});

test.each(['throws', 'hangs'] as const)(
  'a store that %s at the end does not keep the process',
  async (mode) => {
    const { clock, store, end } = await openHeartbeat();
    store.mode = mode;
    const ended = end();
    await settled();
    await clock.advance(2_000);
    await ended;
    expect(clock.sleepers).toBe(0);
  },
);
