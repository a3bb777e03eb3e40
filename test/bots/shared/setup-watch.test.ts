import { expect, onTestFinished, test } from 'vitest';
import { type SetupItem, SetupWatch } from '../../../bots/shared/bot-setup.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { createFakeClock } from '../../support/clock.ts';
import { asTheService, createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

const OK: SetupItem = { name: 'post_messages', remedy: null };
const MISSING = { name: 'post_messages', remedy: 'give it the right' };

async function watch(first: readonly SetupItem[] | Error) {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const state = { found: first, checks: 0 };
  const inspect = async () => {
    state.checks += 1;
    if (state.found instanceof Error) throw state.found;
    return state.found;
  };
  const stop = new AbortController();
  const setupWatch = new SetupWatch({ setup: { inspect }, clock, logger: asTheService(logger) });
  const running = setupWatch.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await clock.asleep();
  const advance = async (ms: number) => {
    await clock.advance(ms);
    await clock.asleep();
  };
  const lines = () => logger.lines.map(({ level, fields }) => [level, fields]);
  return { state, advance, lines, setupWatch };
}

test('what is missing is found at the start, and logged once while it lasts', async () => {
  const { state, advance, lines, setupWatch } = await watch([MISSING]);
  await advance(3 * HOUR_MS);
  expect(state.checks).toBeGreaterThan(3);
  expect(setupWatch.missing).toEqual([MISSING]);
  expect(lines()).toEqual([['warn', { missing: 'post_messages', remedy: 'give it the right' }]]);
});

test('a complete setup is checked hourly; a right that is lost then is logged', async () => {
  const { state, advance, lines, setupWatch } = await watch([OK]);
  expect([state.checks, lines()]).toEqual([1, []]);
  state.found = [MISSING];
  await advance(HOUR_MS - 1);
  expect(setupWatch.missing).toEqual([]);
  await advance(1);
  expect(setupWatch.missing).toEqual([MISSING]);
  expect(lines()).toHaveLength(1);
});

test('a remedy that worked is seen within 5 minutes, and logged', async () => {
  const { state, advance, lines, setupWatch } = await watch([MISSING]);
  state.found = [OK];
  await advance(5 * MINUTE_MS);
  expect(setupWatch.missing).toEqual([]);
  expect(lines().at(-1)).toEqual(['info', { missing: 'post_messages' }]);
});

test('while the platform does not answer, what was found stays, and one line says so', async () => {
  const { state, advance, lines, setupWatch } = await watch([MISSING]);
  state.found = new Error('getChat: 500 Internal Server Error');
  await advance(20 * MINUTE_MS);
  expect(setupWatch.missing).toEqual([MISSING]);
  expect(lines().slice(1)).toEqual([['warn', { reason: 'getChat: 500 Internal Server Error' }]]);
});

test('a check that failed at the start is made again after a minute', async () => {
  const { state, advance, setupWatch } = await watch(new Error('timeout'));
  state.found = [MISSING];
  await advance(MINUTE_MS);
  expect(setupWatch.missing).toEqual([MISSING]);
});
