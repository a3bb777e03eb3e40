import { afterEach, expect, test, vi } from 'vitest';
import { JobRunner, type JobRunnerOptions } from '../../jobs/job-runner.ts';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import type { TickSource } from '../../src/core/operations/tick-source.ts';
import { openTickSource } from '../../src/infra/database/tick-source.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { type Fixture, onEachDatabase } from '../infra/database/each-database.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { createTicksByHand, MORNING, notedJob } from './job-fixture.ts';

const PATIENT = { timeout: 20_000, interval: 10 };
const TICK_MS = 40;
const SEVERAL_TICKS = 4;

onEachDatabase('the job runner', (fixture) => {
  const clock = createFakeClock(MORNING);
  let runners: JobRunner[] = [];
  let counters: TickCounter[] = [];
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.close()));
    runners = [];
    counters = [];
  });

  async function start(owner: string, given: Partial<JobRunnerOptions> & Pick<JobRunnerOptions, 'jobs'>) {
    const jobs = given.jobs.map(({ name }) => name);
    const options = { jobs, owner, clock: systemClock, logger: silentLogger, tickMs: TICK_MS };
    const counter = new TickCounter(given.ticks ?? (await openTickSource(fixture.url, options)));
    if (given.ticks === undefined) counters.push(counter);
    const runner = openRunner(fixture, { owner, clock, ...given, ticks: counter });
    runners.push(runner);
    await runner.start();
    return runner;
  }

  /** Resolves once as many ticks came as the processes that are not closed need to look several times. */
  async function severalTicks(): Promise<void> {
    const open = counters.filter(({ isClosed }) => !isClosed);
    const count = () => open.reduce((sum, { ticks }) => sum + ticks, 0);
    const wanted = count() + SEVERAL_TICKS * open.length;
    await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(wanted), PATIENT);
  }

  test('runs what is due, once, and says so', async () => {
    const { job, periods } = notedJob();
    const runner = await start('one', { jobs: [job] });

    await vi.waitFor(() => expect(periods()).toHaveLength(1), PATIENT);
    await severalTicks();

    expect(periods()).toEqual(['2026-11-20']);
    expect(await runner.status()).toEqual([
      {
        name: 'daily-digest',
        schedule: 'daily at 00:05 UTC',
        lastRun: {
          job: 'daily-digest',
          period: '2026-11-20',
          owner: 'one',
          startedAt: clock.now(),
          endedAt: clock.now(),
          outcome: 'done',
          isFailed: false,
        },
        isPaused: false,
      },
    ]);
    expect(await runner.run('daily-digest')).toEqual({ isRun: false, reason: 'not_due' });
    expect(await runner.run('unknown')).toBeNull();
  });

  test('continues after a restart: finished periods stay finished, and a missed one is made up once', async () => {
    const { job, periods } = notedJob();
    const first = await start('one', { jobs: [job] });
    await vi.waitFor(() => expect(periods()).toHaveLength(1), PATIENT);
    await first.close();

    await clock.advance(DAY_MS);
    await start('two', { jobs: [job] });
    await vi.waitFor(() => expect(periods()).toHaveLength(2), PATIENT);
    await severalTicks();

    expect(new Set(periods()).size).toBe(2);
  });

  test('of several on one database one runs a period', async () => {
    const { job, periods } = notedJob();
    await Promise.all(['one', 'two', 'three'].map((owner) => start(owner, { jobs: [job] })));

    await severalTicks();
    await clock.advance(DAY_MS);
    await vi.waitFor(() => expect(periods()).toHaveLength(2), PATIENT);
    await severalTicks();

    expect(new Set(periods()).size).toBe(2);
    expect(periods()).toHaveLength(2);
  });

  test('takes up what another began that was killed in the middle', async () => {
    const stuck = notedJob(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('end')))),
    );
    const { job, periods } = notedJob();
    const gone = new Set<string>();
    const { ticks, tick } = createTicksByHand();
    const killed = await start('killed', { jobs: [stuck.job], ticks });
    tick(stuck.job.name);
    await vi.waitFor(() => expect(stuck.periods()).toHaveLength(1), PATIENT);

    const runner = await start('two', { jobs: [job], isGone: (owner) => gone.has(owner) });
    await severalTicks();
    expect(periods()).toEqual([]);
    gone.add('killed');
    await vi.waitFor(() => expect(periods()).toHaveLength(1), PATIENT);

    // What the first one says in the end is heard no more.
    await killed.close();
    expect((await runner.status())[0]?.lastRun).toMatchObject({
      owner: 'two',
      outcome: 'done',
      isFailed: false,
    });
  });
});

/** Counts the ticks of a source. */
class TickCounter implements TickSource {
  readonly #source: TickSource;
  ticks = 0;
  isClosed = false;

  constructor(source: TickSource) {
    this.#source = source;
  }

  start(run: (job: string) => Promise<void>): Promise<void> {
    return this.#source.start((job) => {
      this.ticks += 1;
      return run(job);
    });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.#source.close();
  }
}

function openRunner(
  { database }: Fixture,
  given: Partial<JobRunnerOptions> & Pick<JobRunnerOptions, 'jobs' | 'owner' | 'clock' | 'ticks'>,
): JobRunner {
  return new JobRunner({
    jobRuns: database.jobRuns,
    isPaused: () => false,
    isGone: () => false,
    logger: silentLogger,
    ...given,
  });
}
