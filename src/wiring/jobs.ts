import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { JobRunner } from '../../jobs/job-runner.ts';
import { createJobs, JOB_NAMES } from '../../jobs/jobs.ts';
import type { Metrics } from '../core/metrics.ts';
import type { JobRuns } from '../core/operations/job-run-store.ts';
import { openTickSource } from '../infra/database/tick-source.ts';
import type { AppContext } from './app-context.ts';
import { channelsOf } from './platforms.ts';
import type { PublishRecord } from './record.ts';

export async function wireJobs(
  context: AppContext,
  publishRecord: PublishRecord,
  signal: AbortSignal,
): Promise<JobRunner> {
  const { config, clock, isClockHeld, logger, customers, database, metrics } = context;
  return new JobRunner({
    ticks: await openTickSource(config.databaseUrl, { jobs: JOB_NAMES, clock, logger }),
    jobs: createJobs({
      database,
      customers,
      clock,
      yieldToLoop,
      alerts: database.alerts,
      channels: channelsOf(config.chat),
      publishRecord,
    }),
    jobRuns: countRuns(database.jobRuns, metrics.metrics),
    isClockHeld,
    clock,
    logger,
    signal,
  });
}

function countRuns(runs: JobRuns, { jobRan }: Pick<Metrics, 'jobRan'>): Pick<JobRuns, 'begin' | 'end'> {
  return {
    begin: (...args) => runs.begin(...args),
    async end(run, result) {
      jobRan(run.job, result.isFailed ? 'failed' : 'done');
      await runs.end(run, result);
    },
  };
}
