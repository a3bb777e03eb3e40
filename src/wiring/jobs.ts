import { setImmediate } from 'node:timers/promises';
import { dailyDigest } from '../../jobs/daily-digest.ts';
import { createJobRunner, type JobRunner } from '../../jobs/job-runner.ts';
import { resolutionSweep } from '../../jobs/resolution-sweep.ts';
import { resumeInterrupted } from '../../jobs/resume-interrupted.ts';
import { retention } from '../../jobs/retention.ts';
import { trialEnds } from '../../jobs/trial-ends.ts';
import { trialReminders } from '../../jobs/trial-reminders.ts';
import { scheduledAlerts } from '../core/archive/archive-scheduler.ts';
import { createChannelPosts } from '../core/chat/channel-posts.ts';
import { digestMessages, makeDailyDigest } from '../core/chat/daily-digest.ts';
import { pruneChat } from '../core/chat/retention.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import type { JobRunStore } from '../core/operations/job-run-store.ts';
import { openAgendaBackend } from '../infra/agenda-backend.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { channelsOf, postRulesOf } from './channels.ts';

/** The clock work. */
export async function wireJobs(context: AppContext): Promise<JobRunner> {
  const { config, clock, database, archive, pauseFlags, metrics } = context;
  const alerts = scheduledAlerts(database.alerts, archive.own);
  const channels = channelsOf(config.chat);
  return createJobRunner({
    ...context,
    jobRuns: countRuns(database.jobRuns, metrics.metrics),
    backend: await openAgendaBackend(config.databaseUrl, clock),
    isPaused: pauseFlags.isPaused,
    isGone: isOwnerGone,
    jobs: [
      trialReminders({ ...context, outbox: database.chat }),
      trialEnds({ ...context, outbox: database.chat }),
      dailyDigest({
        outbox: database.chat,
        digestMessages: async (day) =>
          digestMessages(await makeDailyDigest({ alerts }, Date.parse(day)), channels, clock.now()),
      }),
      // The one that posts may be in another process; what this one adds to the outbox is found by it.
      resolutionSweep({
        sweepResults: createChannelPosts({
          ...context,
          store: database.chat,
          alerts: database.alerts,
          resolutions: database.resolutions,
          rules: postRulesOf(config),
          wake: () => {},
        }).sweepResults,
      }),
      resumeInterrupted(context),
      retention({
        ...database,
        customers: context.customers,
        pruneMessages: (signal) =>
          pruneChat({ store: database.chat, clock, yieldToLoop: setImmediate }, signal),
      }),
    ],
  });
}

function countRuns(runs: JobRunStore, { jobRan }: Pick<Metrics, 'jobRan'>): JobRunStore {
  return {
    ...runs,
    async end(run, result) {
      jobRan(run.job, result.isFailed ? 'failed' : 'done');
      await runs.end(run, result);
    },
  };
}
