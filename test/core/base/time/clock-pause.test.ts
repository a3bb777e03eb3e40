import { expect, onTestFinished, test } from 'vitest';
import { ClockPause } from '../../../../src/core/operations/pause-flags.ts';
import { openSqlite } from '../../../../src/infra/database/sqlite/open-sqlite.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

async function open() {
  const { pauses, close } = await openSqlite({ path: ':memory:' });
  onTestFinished(close);
  const clock = Object.assign(createFakeClock(START), {
    isUncertain: false,
    accepted: 0,
    accept() {
      clock.accepted += 1;
      clock.isUncertain = false;
      return 0;
    },
  });
  const pause = new ClockPause({ clock, pauses, logger: silentLogger });
  const names = async () => (await pauses.list()).map(({ name }) => name);
  return { pause, pauses, clock, names };
}

test('an uncertain time is shown as a pause, which ends with it', async () => {
  const { pause, clock, names, pauses } = await open();
  await pause.look();
  expect(await names()).toEqual([]);

  clock.isUncertain = true;
  await pause.look();
  await pause.look();
  expect(await pauses.list()).toEqual([{ name: 'clock', at: START, by: 'the service' }]);
  clock.isUncertain = false;
  await pause.look();

  expect([await names(), clock.accepted]).toEqual([[], 0]);
});

test('the operator accepts the new time by resuming the clock', async () => {
  const { pause, pauses, clock, names } = await open();
  await pause.look();
  clock.isUncertain = true;
  await pause.look();

  await pauses.resume('clock');
  await pause.look();
  await pause.look();

  expect([clock.accepted, await names()]).toEqual([1, []]);
});

test('a pause of a process that died is removed, not taken for an answer', async () => {
  const { pause, pauses, clock, names } = await open();
  await pauses.pause({ name: 'clock', at: START, by: 'the service' });
  await pause.look();

  expect([clock.accepted, await names()]).toEqual([0, []]);
});
