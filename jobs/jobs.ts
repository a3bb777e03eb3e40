import { SettlementReader } from '../src/core/alerts/settlements/settlement-reader.ts';
import { counted } from '../src/core/base/text/formats.ts';
import { digestMessages, makeDailyDigest } from '../src/core/chat/daily-digest.ts';
import { removeExpired } from './retention.ts';
import { dailyAt, everyMinutes, type Job, type JobDeps } from './schedule.ts';
import { announceTrialEnds, remindOfTrials } from './trials.ts';

interface JobPlan extends Omit<Job, 'name' | 'run'> {
  readonly start: (deps: JobDeps) => Job['run'];
}

const JOBS: Readonly<Record<string, JobPlan>> = {
  'trial-reminders': { schedule: everyMinutes(15), start: remindOfTrials },
  // Within a minute of the end, when the stream is closed.
  'trial-ends': { schedule: everyMinutes(0.5), start: announceTrialEnds },
  /** The digest of the previous day for the channels. Of several missed days only the last one is posted. */
  'daily-digest': {
    schedule: dailyAt('00:05'),
    start:
      ({ database, alerts, channels, clock }) =>
      async ({ period }) => {
        const deps = { ...database, alerts, settlements: new SettlementReader(database) };
        const digest = await makeDailyDigest(deps, Date.parse(period), channels);
        const added = await database.chat.add(digestMessages(digest, channels, clock.now()));
        return `${counted(added.length, 'post')} of ${period} put in the outbox`;
      },
  },
  /** Completes what a crash interrupted: an erased customer may never write again to end their keys. */
  'resume-interrupted': {
    schedule: everyMinutes(5),
    start:
      ({ customers }) =>
      async () =>
        `${counted(await customers.resumeInterrupted(), 'customer')} resumed`,
  },
  record: {
    schedule: everyMinutes(60),
    start:
      ({ publishRecord }) =>
      async ({ signal }) => {
        const report = await publishRecord(signal);
        if (report === null) return 'nothing to measure yet';
        return `${counted(report.alerts, 'alert')}, ${report.settled} of ${counted(report.counted, 'bet')} settled`;
      },
  },
  retention: { schedule: dailyAt('03:20'), start: removeExpired },
};

/** The names of the jobs, also for processes that run none. */
export const JOB_NAMES: readonly string[] = Object.keys(JOBS);

export function createJobs(deps: JobDeps): readonly Job[] {
  return Object.entries(JOBS).map(([name, { start, ...job }]) => ({ ...job, name, run: start(deps) }));
}
