import { setImmediate as settled } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JobRunner, type JobRunnerOptions, RUN_LIMIT_MS } from '../../jobs/job-runner.ts';
import { untilAborted } from '../../src/core/base/async/repeat.ts';
import { ClockGuard } from '../../src/core/base/time/clock-guard.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { Database } from '../../src/core/database.ts';
import { openSqlite } from '../../src/infra/database/sqlite/open-sqlite.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { createTicksByHand, jobNamed, MORNING, notedJob, openJobFixture, openOutbox } from './job-fixture.ts';

let database: Database;
beforeEach(async () => {
  database = await openSqlite({ path: ':memory:' });
});
afterEach(() => database.close());

async function startRunner(given: Partial<JobRunnerOptions> & Pick<JobRunnerOptions, 'jobs'>) {
  const { ticks, tick, isClosed } = createTicksByHand();
  const clock = createFakeClock(MORNING);
  const runner = new JobRunner({
    ticks,
    jobRuns: database.jobRuns,
    isClockHeld: new ClockGuard({ clock, logger: silentLogger }).isHeld,
    clock,
    logger: silentLogger,
    signal: new AbortController().signal,
    ...given,
  });
  await runner.start();
  const tickAndSettle = async (job: string) => {
    tick(job);
    await settled();
  };
  return { runner, clock, tick: tickAndSettle, isClosed };
}

test('no job begins while the clock of the host was set', async () => {
  const { job, contexts } = notedJob();
  const { clock, tick } = await startRunner({ jobs: [job] });
  clock.set(DAY_MS);
  await tick('daily-digest');
  expect(contexts).toEqual([]);
});

test('the end of a trial is told within a minute, and no clock that is ahead for less than 10 minutes tells it early', async () => {
  const { chat, all } = openOutbox();
  const endsAt = MORNING + HOUR_MS;
  await database.keys.insert({ ...keyOf({ tier: 'pro', trialEndsAt: endsAt }), customerId: 'cus_a' });
  const ends = jobNamed('trial-ends', { database: { ...database, chat } });
  const { clock, tick } = await startRunner({ jobs: [ends] });
  const runFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += MINUTE_MS / 2) {
      await tick('trial-ends');
      await clock.advance(MINUTE_MS / 2);
    }
  };

  await runFor(30 * MINUTE_MS);
  clock.set(2 * DAY_MS);
  await runFor(9 * MINUTE_MS);
  clock.set(-2 * DAY_MS);
  await runFor(20 * MINUTE_MS);
  expect(all()).toEqual([]);
  await runFor(2 * MINUTE_MS);
  expect(all()).toMatchObject([{ kind: 'trial_ended', facts: { endsAt } }]);
  expect(all()[0]?.dueAt).toBeLessThanOrEqual(endsAt + MINUTE_MS);
});

test('a job store that fails is logged, and the job runs at the next tick', async () => {
  const { job, periods } = notedJob();
  const warn = vi.fn();
  vi.spyOn(database.jobRuns, 'begin').mockRejectedValueOnce(new Error('connection lost'));
  const { tick } = await startRunner({
    jobs: [job],
    logger: { ...silentLogger, warn },
  });

  await tick('daily-digest');
  expect(periods()).toEqual([]);
  expect(warn.mock.calls).toEqual([
    [{ err: new Error('connection lost'), job: 'daily-digest' }, expect.stringContaining('unavailable')],
  ]);

  await tick('daily-digest');
  expect(periods()).toHaveLength(1);
});

test('a job that fails is logged with its error', async () => {
  const error = new TypeError('no such field');
  const { job } = notedJob(() => Promise.reject(error));
  const warn = vi.fn();
  const { tick } = await startRunner({ jobs: [job], logger: { ...silentLogger, warn } });
  await tick('daily-digest');

  const fields = { err: error, job: 'daily-digest', period: '2026-11-20' };
  expect(warn.mock.calls).toEqual([[fields, 'job failed; retrying']]);
  expect(await lastRun()).toMatchObject({ outcome: 'no such field', isFailed: true });
});

test('a job that runs is not started again until it has ended', async () => {
  const work = Promise.withResolvers<string>();
  const { job, contexts } = notedJob(() => work.promise);
  const { tick } = await startRunner({ jobs: [job] });
  await tick('daily-digest');
  await tick('daily-digest');
  work.resolve('finished');
  await settled();

  expect(await lastRun()).toMatchObject({ outcome: 'finished' });
  expect(contexts).toHaveLength(1);
});

test('closing aborts what runs and waits for it, starts nothing more, and closes the ticks', async () => {
  const work = Promise.withResolvers<string>();
  const { job, contexts } = notedJob(() => work.promise);
  const other = notedJob();
  const { runner, tick, isClosed } = await startRunner({ jobs: [job, { ...other.job, name: 'other' }] });
  await tick('daily-digest');

  const closing = runner.close();
  expect(contexts[0]?.signal.aborted).toBe(true);
  await tick('other');
  expect(isClosed()).toBe(false);
  work.resolve('finished');
  await closing;

  expect([contexts.length, other.contexts.length]).toEqual([1, 0]);
  expect(await database.jobRuns.latest()).toMatchObject([{ outcome: 'finished', isFailed: false }]);
  expect(isClosed()).toBe(true);
});

test('the end of the process ends what runs before the jobs are closed; the next process begins it again at once', async () => {
  const end = new AbortController();
  const { job } = notedJob(({ signal }) => untilAborted(signal).then(() => Promise.reject(signal.reason)));
  const first = await startRunner({ jobs: [job], signal: end.signal });
  await first.tick('daily-digest');

  end.abort(new Error('over'));
  await settled();

  expect(await lastRun()).toMatchObject({ endedAt: null });
  const next = notedJob();
  const { tick } = await startRunner({ jobs: [next.job] });
  await tick('daily-digest');
  expect(next.contexts).toHaveLength(1);
});

test('closing waits 4 s at most, and names the jobs that still run', async () => {
  const warn = vi.fn();
  const { job } = notedJob(() => new Promise(() => {}));
  const { runner, clock, tick, isClosed } = await startRunner({
    jobs: [job],
    logger: { ...silentLogger, warn },
  });
  await tick('daily-digest');

  const closing = runner.close();
  await clock.advance(3_999);
  expect(isClosed()).toBe(false);
  await clock.advance(1);

  await closing;
  expect(isClosed()).toBe(true);
  expect(warn).toHaveBeenCalledWith({ jobs: ['daily-digest'] }, 'jobs are still running at the end');
});

const NOT_DUE = { isRun: false };

const lastRun = async () => (await database.jobRuns.latest())[0];

test('a period is done once, however often it is asked for, also by the next process; the next one is due at its time', async () => {
  const { clock, process } = openJobFixture(database);
  const { job, periods } = notedJob();
  const [one, two] = [process(), process()];

  expect(await one(job)).toEqual({ isRun: true, period: '2026-11-20', isFailed: false, outcome: 'done' });
  expect(await one(job)).toEqual(NOT_DUE);
  expect(await two(job)).toEqual(NOT_DUE);
  await clock.advance(14 * HOUR_MS + 4 * MINUTE_MS);
  expect(await two(job)).toEqual(NOT_DUE);
  await clock.advance(MINUTE_MS);
  await two(job);

  expect(periods()).toEqual(['2026-11-20', '2026-11-21']);
});

test('a missed period is made up once, and of several missed ones only the last', async () => {
  const { clock, process } = openJobFixture(database);
  const { job, periods } = notedJob();
  await process()(job);

  await clock.advance(5 * DAY_MS);
  await process()(job);
  await process()(job);

  expect(periods()).toEqual(['2026-11-20', '2026-11-25']);
});

test('a failed period is tried again: after a minute at first, then as long again as it has failed, at most an hour; the next period begins again', async () => {
  const { clock, process } = openJobFixture(database);
  const { job, contexts } = notedJob(async () => {
    throw new Error('the outbox is away');
  });
  const run = process();
  const triesOf = async (minutes: number) => {
    const first = clock.now();
    const before = contexts.length;
    for (let minute = 0; minute < minutes; minute++) {
      await run(job);
      await clock.advance(MINUTE_MS);
    }
    return contexts.slice(before).map(({ now }) => (now - first) / MINUTE_MS);
  };

  // From 10:00, after a start: it has been due since 00:05.
  expect(await triesOf(300)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 124, 184, 244]);
  expect(await lastRun()).toMatchObject({ outcome: 'the outbox is away', isFailed: true });
  await clock.advance(DAY_MS - 300 * MINUTE_MS);
  expect(await triesOf(30)).toEqual([0, 1, 2, 4, 8, 16]);
});

test('what a process began that died, or lost its lease, is begun again by the next, and the old run ends nothing', async () => {
  const { clock, process } = openJobFixture(database);
  const work = Promise.withResolvers<string>();
  const { job: stuck, contexts } = notedJob(() => work.promise);
  const { job, periods } = notedJob();
  const running = process()(stuck);
  await settled();
  expect(contexts).toHaveLength(1);

  await clock.advance(1);
  expect(await process()(job)).toMatchObject({ isRun: true });
  work.resolve('late');
  await running;

  expect(periods()).toHaveLength(1);
  expect(await lastRun()).toMatchObject({ outcome: 'done' });
});

test('a run whose end could not be written is done again by its own process: it must be idempotent', async () => {
  const { process } = openJobFixture(database);
  const { job, periods } = notedJob();
  vi.spyOn(database.jobRuns, 'end').mockRejectedValueOnce(new Error('connection lost'));

  await expect(process()(job)).rejects.toThrow('connection lost');
  await process()(job);

  expect(periods()).toEqual(['2026-11-20', '2026-11-20']);
  expect(await lastRun()).toMatchObject({ outcome: 'done', isFailed: false });
});

test('a run that takes too long is aborted, and has failed', async () => {
  const { clock, process } = openJobFixture(database);
  const { job, contexts } = notedJob(() => new Promise(() => {}));
  const running = process()(job);
  await settled();

  await clock.advance(RUN_LIMIT_MS);

  expect(await running).toMatchObject({ isFailed: true });
  expect(contexts[0]?.signal.aborted).toBe(true);
  expect(clock.sleepers).toBe(0);
});
