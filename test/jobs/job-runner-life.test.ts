import { setImmediate as settled } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JobRunner, type JobRunnerOptions } from '../../jobs/job-runner.ts';
import { SETTLED_AFTER_MS } from '../../src/core/base/time/trusted-clock.ts';
import type { Database } from '../../src/core/database.ts';
import { openSqlite } from '../../src/infra/database/sqlite/open-sqlite.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { createTicksByHand, MORNING, notedJob } from './job-fixture.ts';

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
    isPaused: () => false,
    isGone: () => false,
    owner: 'one',
    clock,
    logger: silentLogger,
    ...given,
  });
  await runner.start();
  const tickAndSettle = async (job: string) => {
    tick(job);
    await settled();
  };
  return { runner, clock, tick: tickAndSettle, isClosed };
}

test('a job that cannot be undone waits until two ticks were 10 minutes apart, unless an operator runs it', async () => {
  const { job, contexts } = notedJob();
  const { clock, tick, runner } = await startRunner({ jobs: [{ ...job, needsSettledTime: true }] });

  await tick('daily-digest');
  await clock.advance(SETTLED_AFTER_MS - 1);
  await tick('daily-digest');
  expect(contexts).toEqual([]);
  await clock.advance(1);
  await tick('daily-digest');
  expect(contexts).toMatchObject([{ now: MORNING, period: '2026-11-20' }]);

  await runner.run('daily-digest', { isForced: true });
  expect(contexts.at(-1)?.now).toBe(MORNING + SETTLED_AFTER_MS);
});

test('a job store that fails is logged, and the job runs at the next tick', async () => {
  const { job, periods } = notedJob();
  const warn = vi.fn();
  const begin = vi.fn(database.jobRuns.begin).mockRejectedValueOnce(new Error('connection lost'));
  const { tick } = await startRunner({
    jobs: [job],
    jobRuns: { ...database.jobRuns, begin },
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

test('a job that runs is not started again, and an operator who asks for it gets the result of that run', async () => {
  const work = Promise.withResolvers<string>();
  const { job, contexts } = notedJob(() => work.promise);
  const { runner, tick } = await startRunner({ jobs: [job] });
  await tick('daily-digest');

  const asked = runner.run('daily-digest');
  await tick('daily-digest');
  work.resolve('finished');

  expect(await asked).toMatchObject({ isRun: true, outcome: 'finished' });
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

test('closing waits 5 s at most', async () => {
  const { job } = notedJob(() => new Promise(() => {}));
  const { runner, clock, tick, isClosed } = await startRunner({ jobs: [job] });
  await tick('daily-digest');

  const closing = runner.close();
  await clock.advance(4_999);
  expect(isClosed()).toBe(false);
  await clock.advance(1);

  await closing;
  expect(isClosed()).toBe(true);
});
