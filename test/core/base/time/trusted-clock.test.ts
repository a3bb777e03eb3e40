import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { ACCEPTED_AFTER_MS, TrustedClock } from '../../../../src/core/base/time/trusted-clock.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';

const JUMPS = [HOUR_MS, -HOUR_MS, 40 * DAY_MS, -40 * DAY_MS];

function open({ hostAheadMs = 0 } = {}) {
  const host = createFakeClock(START + hostAheadMs);
  const logger = createRecordingLogger();
  let steps = 0;
  let isUncertain = false;
  const clock = new TrustedClock({
    host,
    logger,
    metrics: {
      clockStepped: () => {
        steps += 1;
      },
      clockUncertain: (is) => {
        isUncertain = is;
      },
    },
  });
  const trueTime = () => START + host.monotonic();
  return {
    clock,
    host,
    logger,
    trueTime,
    steps: () => steps,
    gauge: () => isUncertain,
    /** By how much the time of the service is wrong. The database's clock counts whole milliseconds. */
    errorMs: () => {
      const ms = clock.now() - trueTime();
      return Math.abs(ms) <= 1 ? 0 : ms;
    },
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= SECOND_MS) {
        await host.advance(Math.min(left, SECOND_MS));
        await clock.look();
      }
    },
  };
}

describe.each(JUMPS)('a host whose clock is set by %i ms', (jumpMs) => {
  test('alone: the former time continues and is uncertain until the clock is set back', async () => {
    const { clock, host, pass, errorMs, steps, gauge, logger } = open();
    await pass(MINUTE_MS);

    host.set(jumpMs);
    expect(errorMs()).toBe(0);
    await pass(MINUTE_MS);
    expect([clock.isUncertain, gauge(), errorMs(), steps()]).toEqual([true, true, 0, 1]);
    expect(clock.status()).toEqual({ isUncertain: true, hostAheadMs: jumpMs });
    host.set(-jumpMs);
    await pass(SECOND_MS);

    expect([clock.isUncertain, gauge(), errorMs(), steps()]).toEqual([false, false, 0, 2]);
    const errors = logger.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => fields)).toEqual([{ seconds: jumpMs / SECOND_MS }]);
  });

  test('alone: the new time is accepted after 10 minutes, or when the operator says so', async () => {
    for (const isAsked of [false, true]) {
      const { clock, host, pass, errorMs } = open();
      host.set(jumpMs);
      await pass(SECOND_MS);
      await pass(ACCEPTED_AFTER_MS - SECOND_MS);
      expect([clock.isUncertain, errorMs()]).toEqual([true, 0]);
      if (isAsked) expect(clock.accept()).toBe(jumpMs);
      else await pass(SECOND_MS);

      expect([clock.isUncertain, errorMs()]).toEqual([false, jumpMs]);
      expect(clock.accept()).toBeNull();
    }
  });

  test.each(['database', 'market'] as const)(
    'the %s denies it: its time is used throughout',
    async (name) => {
      const { clock, host, trueTime, pass, errorMs, steps } = open();
      const observe = () => (name === 'market' ? clock.observe('market', trueTime()) : undefined);
      await clock.follow(name === 'database' ? async () => trueTime() : null);
      observe();
      await pass(MINUTE_MS);

      host.set(jumpMs);
      observe();
      await pass(SECOND_MS);
      observe();
      await pass(30 * MINUTE_MS);
      expect([clock.isUncertain, errorMs(), steps()]).toEqual([false, 0, 1]);
      expect(clock.status().hostAheadMs).toBe(jumpMs);
      host.set(-jumpMs);
      await pass(MINUTE_MS);
      expect([clock.isUncertain, errorMs(), steps()]).toEqual([false, 0, 2]);
    },
  );

  test('wrong from the start: the first reading of another clock is used', async () => {
    const withDatabase = open({ hostAheadMs: jumpMs });
    await withDatabase.clock.follow(async () => withDatabase.trueTime());
    expect([withDatabase.clock.isUncertain, withDatabase.errorMs()]).toEqual([false, 0]);

    const withMarket = open({ hostAheadMs: jumpMs });
    withMarket.clock.observe('market', withMarket.trueTime());
    await withMarket.pass(SECOND_MS);
    expect([withMarket.clock.isUncertain, withMarket.errorMs()]).toEqual([false, 0]);
  });

  test('a database whose clock is set is not followed while the host denies it', async () => {
    const { clock, trueTime, pass, errorMs, logger } = open();
    let aheadMs = 0;
    await clock.follow(async () => trueTime() + aheadMs);
    await pass(MINUTE_MS);

    aheadMs = jumpMs;
    await pass(30 * MINUTE_MS);

    expect([clock.isUncertain, errorMs()]).toEqual([false, 0]);
    expect(logger.lines.at(-1)?.fields).toEqual({ clock: 'database', seconds: jumpMs / SECOND_MS });
  });
});

test('a suspended host gets the new time as soon as the market shows it', async () => {
  const { clock, host, pass } = open();
  clock.observe('market', clock.now());
  await pass(MINUTE_MS);

  host.set(HOUR_MS);
  await pass(SECOND_MS);
  expect(clock.isUncertain).toBe(true);
  clock.observe('market', host.now());
  await pass(SECOND_MS);

  expect([clock.isUncertain, clock.now()]).toEqual([false, host.now()]);
});

test('a database that answers late moves the time by less than the wait', async () => {
  const { clock, host, trueTime, pass, errorMs } = open();
  await clock.follow(async () => {
    const time = trueTime();
    await host.advance(300);
    return time;
  });
  await pass(MINUTE_MS);
  expect(errorMs()).toBe(0);
});

test('an unavailable database changes nothing, and its clock is asked again', async () => {
  const { clock, host, trueTime, pass, errorMs } = open();
  let isAway = false;
  await clock.follow(async () => {
    if (isAway) throw new Error('away');
    return trueTime();
  });
  isAway = true;
  await pass(MINUTE_MS);
  expect([clock.isUncertain, errorMs()]).toEqual([false, 0]);

  host.set(HOUR_MS);
  await pass(5 * SECOND_MS);
  expect(clock.isUncertain).toBe(true);
  isAway = false;
  await pass(SECOND_MS);
  expect([clock.isUncertain, errorMs()]).toEqual([false, 0]);
});
