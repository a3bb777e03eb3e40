import { setImmediate } from 'node:timers/promises';
import { dailyDigest } from '../../jobs/daily-digest.ts';
import { halfDone } from '../../jobs/half-done.ts';
import { createJobRunner, type JobRunner } from '../../jobs/job-runner.ts';
import { resolutionSweep } from '../../jobs/resolution-sweep.ts';
import { retention } from '../../jobs/retention.ts';
import { trialEnds } from '../../jobs/trial-ends.ts';
import { trialReminders } from '../../jobs/trial-reminders.ts';
import { scheduledAlerts } from '../core/archive-scheduler.ts';
import { createChannelPosts } from '../core/chat/channel-posts.ts';
import { digestMessages, makeDailyDigest } from '../core/chat/daily-digest.ts';
import { pruneChat } from '../core/chat/retention.ts';
import type { JobRunStore } from '../core/ports/job-run-store.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { openAgendaBackend } from '../infra/agenda-backend.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import { channelsOf } from './channels.ts';
import type { House } from './house.ts';

/** The clock work. */
export async function wireJobs(house: House): Promise<JobRunner> {
  const { config, clock, database, archive, switchboard, metrics } = house;
  const alerts = scheduledAlerts(database.alerts, archive.own);
  const channels = channelsOf(config.chat);
  return createJobRunner({
    ...house,
    jobRuns: countRuns(database.jobRuns, metrics.metrics),
    backend: await openAgendaBackend(config.databaseUrl, clock),
    isPaused: switchboard.isPaused,
    isGone: isOwnerGone,
    jobs: [
      trialReminders({ ...house, outbox: database.chat }),
      trialEnds({ ...house, outbox: database.chat }),
      dailyDigest({
        outbox: database.chat,
        digestMessages: async (day) =>
          digestMessages(await makeDailyDigest({ alerts }, Date.parse(day)), channels, clock.now()),
      }),
      // The one that posts may be in another process; what this one adds to the outbox is found by it.
      resolutionSweep({
        sweepResults: createChannelPosts({
          ...house,
          store: database.chat,
          alerts: database.alerts,
          resolutions: database.resolutions,
          rules: { ...config.chat.channel, channels },
          wake: () => {},
        }).sweepResults,
      }),
      halfDone(house),
      retention({
        ...database,
        customers: house.customers,
        pruneMessages: (signal) => pruneChat({ store: database.chat, clock, nextTurn: setImmediate }, signal),
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
