import { afterEach, expect, test, vi } from 'vitest';
import { JobRunner } from '../../jobs/job-runner.ts';
import type { Job } from '../../jobs/schedule.ts';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import type { TickSource } from '../../src/core/operations/job-run-store.ts';
import { openTickSource } from '../../src/infra/database/tick-source.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { onEachDatabase } from '../infra/database/each-database.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { MORNING, notedJob } from './job-fixture.ts';

const TICK_MS = 40;
const SEVERAL_TICKS = 4;

onEachDatabase('the job runner', (fixture) => {
  const clock = createFakeClock(MORNING);
  let runners: JobRunner[] = [];
  let counters: { ticks: number; isClosed: boolean }[] = [];
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.close()));
    runners = [];
    counters = [];
  });

  async function start(job: Job) {
    const options = { jobs: [job.name], clock: systemClock, logger: silentLogger, tickMs: TICK_MS };
    const source = await openTickSource(fixture.url, options);
    const counter = { ticks: 0, isClosed: false };
    counters.push(counter);
    const ticks: TickSource = {
      start: (run) =>
        source.start((name) => {
          counter.ticks += 1;
          return run(name);
        }),
      async close() {
        counter.isClosed = true;
        await source.close();
      },
    };
    const runner = new JobRunner({
      jobRuns: fixture.database.jobRuns,
      isClockHeld: () => false,
      logger: silentLogger,
      ...{ clock, jobs: [job], ticks },
    });
    runners.push(runner);
    await runner.start();
    return runner;
  }

  /** Resolves once as many ticks came as the processes that are not closed need to look several times. */
  async function severalTicks(): Promise<void> {
    const open = counters.filter(({ isClosed }) => !isClosed);
    const count = () => open.reduce((sum, { ticks }) => sum + ticks, 0);
    const wanted = count() + SEVERAL_TICKS * open.length;
    await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(wanted));
  }

  test('a period is run once, however often the job ticks, also by the next process', async () => {
    const { job, periods } = notedJob();
    const first = await start(job);
    await severalTicks();
    await first.close();

    await start(job);
    await severalTicks();
    expect(periods()).toHaveLength(1);
    await clock.advance(DAY_MS);
    await vi.waitFor(() => expect(periods()).toHaveLength(2));
    await severalTicks();

    expect(periods()).toEqual(['2026-11-20', '2026-11-21']);
  });
});
