import { setImmediate } from 'node:timers/promises';
import { dailyDigest } from '../../jobs/daily-digest.ts';
import { JobRunner } from '../../jobs/job-runner.ts';
import { recordJob } from '../../jobs/record.ts';
import { resolutionSweep } from '../../jobs/resolution-sweep.ts';
import { resumeInterrupted } from '../../jobs/resume-interrupted.ts';
import { retention } from '../../jobs/retention.ts';
import type { Job } from '../../jobs/schedule.ts';
import { trialEnds } from '../../jobs/trial-ends.ts';
import { trialReminders } from '../../jobs/trial-reminders.ts';
import { scheduledAlerts } from '../core/alerts/archive/archive-scheduler.ts';
import { ChannelPosts } from '../core/chat/channel-posts.ts';
import { digestMessages, makeDailyDigest } from '../core/chat/daily-digest.ts';
import { pruneChat } from '../core/chat/retention.ts';
import type { Metrics } from '../core/metrics.ts';
import type { JobRunStore } from '../core/operations/job-run-store.ts';
import { openTickSource } from '../infra/database/tick-source.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { channelsOf, postRulesOf } from './channels.ts';
import type { RecordWork } from './record.ts';

/** The scheduled jobs. */
export async function wireJobs(context: AppContext, record: RecordWork): Promise<JobRunner> {
  const { config, clock, logger, database, owner, pauseFlags, metrics } = context;
  const jobs = jobsOf(context, record);
  const names = jobs.map(({ name }) => name);
  return new JobRunner({
    ticks: await openTickSource(config.databaseUrl, { jobs: names, owner, clock, logger }),
    jobs,
    jobRuns: countRuns(database.jobRuns, metrics.metrics),
    isPaused: pauseFlags.isPaused,
    owner,
    isGone: isOwnerGone,
    clock,
    logger,
  });
}

function jobsOf(context: AppContext, record: RecordWork): Job[] {
  const { config, clock, logger, customers, database, archive } = context;
  const { alerts, chat: outbox, settlements } = database;
  const channels = channelsOf(config.chat);
  return [
    trialReminders(customers, outbox),
    trialEnds(database.keys, outbox),
    dailyDigest(async (day) => {
      const digest = await makeDailyDigest(scheduledAlerts(alerts, archive.own), Date.parse(day));
      return digestMessages(digest, channels, clock.now());
    }, outbox),
    // Another process may run the bots; it finds in the outbox what this one adds.
    resolutionSweep(
      new ChannelPosts({
        store: outbox,
        alerts,
        settlements,
        feed: context.feed,
        clock,
        logger,
        rules: postRulesOf(config),
        wake: () => {},
      }).sweepResults,
    ),
    resumeInterrupted(customers),
    recordJob(record.publish),
    retention({
      jobRuns: database.jobRuns,
      heartbeats: database.heartbeats,
      usage: database.usage,
      idempotency: database.idempotency,
      customers: database.customers,
      questions: database.questions,
      pruneMessages: (now, signal) => pruneChat({ store: outbox, now, yieldToLoop: setImmediate }, signal),
      purgeDeleted: () => database.purgeDeleted(),
    }),
  ];
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
