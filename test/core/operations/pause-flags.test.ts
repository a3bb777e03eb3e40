import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Pause, PauseFlags } from '../../../src/core/operations/pause-flags.ts';
import { createFakeClock } from '../../support/clock.ts';

const FEED: Pause = { name: 'feed', at: 0, by: 'telegram:1' };

function openPauseFlags() {
  const clock = createFakeClock(1_000_000);
  const store: { paused: Pause[]; mode: 'up' | 'throws' | 'hangs' } = { paused: [], mode: 'up' };
  const warnings: string[] = [];
  const list = async () => {
    if (store.mode === 'throws') throw new Error('connection lost');
    return store.mode === 'hangs' ? new Promise<never>(() => {}) : [...store.paused];
  };
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  return { clock, store, warnings, pauseFlags: new PauseFlags({ list }, clock, logger) };
}

test('what another process paused or resumed is known within a second', async () => {
  const { clock, store, pauseFlags } = openPauseFlags();
  const stop = new AbortController();
  const running = pauseFlags.run(stop.signal);
  await settled();
  store.paused = [FEED];
  expect(pauseFlags.isPaused('feed')).toBe(false);

  await clock.advance(1_000);
  expect([pauseFlags.isPaused('feed'), pauseFlags.isPaused('posts')]).toEqual([true, false]);

  store.paused = [];
  await clock.advance(1_000);
  expect(pauseFlags.isPaused('feed')).toBe(false);

  stop.abort();
  await running;
  expect(clock.sleepers).toBe(0);
});

test('a look that began before a change does not undo what a later one saw', async () => {
  const slow = Promise.withResolvers<Pause[]>();
  const answers = [slow.promise, Promise.resolve([FEED])];
  const list = () => answers.shift() ?? Promise.resolve([]);
  const clock = createFakeClock(0);
  const pauseFlags = new PauseFlags({ list }, clock, { warn: () => {} });

  const first = pauseFlags.look();
  await pauseFlags.look();
  slow.resolve([]);
  await first;

  expect(pauseFlags.isPaused('feed')).toBe(true);
});

test.each(['throws', 'hangs'] as const)(
  'while the database is away (%s) what was paused stays so, it is said once, and afterwards it is looked again',
  async (mode) => {
    const { clock, store, warnings, pauseFlags } = openPauseFlags();
    store.paused = [FEED];
    const stop = new AbortController();
    const running = pauseFlags.run(stop.signal);
    await settled();
    store.mode = mode;
    store.paused = [];

    await clock.advance(20_000);
    expect(pauseFlags.isPaused('feed')).toBe(true);
    expect(new Set(warnings).size).toBe(1);

    store.mode = 'up';
    await clock.advance(5_000);
    expect(pauseFlags.isPaused('feed')).toBe(false);
    stop.abort();
    await running;
  },
);
