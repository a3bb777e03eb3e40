import { counted } from '../src/core/base/text/formats.ts';
import { sweepResults } from '../src/core/chat/channel-posts.ts';
import { digestMessages, makeDailyDigest } from '../src/core/chat/daily-digest.ts';
import { removeExpired } from './retention.ts';
import { dailyAt, everyMinutes, type Job, type JobDeps } from './schedule.ts';
import { announceTrialEnds, remindOfTrials } from './trials.ts';

interface JobPlan extends Omit<Job, 'name' | 'run'> {
  readonly start: (deps: JobDeps) => Job['run'];
}

const JOBS: Readonly<Record<string, JobPlan>> = {
  'trial-reminders': {
    schedule: everyMinutes(15),
    // A reminder that came too early would not come again.
    needsSettledTime: true,
    start: remindOfTrials,
  },
  'trial-ends': { schedule: everyMinutes(1), needsSettledTime: true, start: announceTrialEnds },
  /** The digest of the previous day for the channels. Of several missed days only the last one is posted. */
  'daily-digest': {
    schedule: dailyAt('00:05'),
    start:
      ({ database, alerts, channels, clock }) =>
      async ({ period }) => {
        const digest = await makeDailyDigest(alerts, Date.parse(period));
        const added = await database.chat.add(digestMessages(digest, channels, clock.now()));
        return `${counted(added.length, 'post')} of ${period} put in the outbox`;
      },
  },
  /** Finds posts whose result was missed: after a crash, or when the market settled while no bot ran. */
  'resolution-sweep': {
    schedule: everyMinutes(10),
    start:
      ({ database: { chat: store, settlements }, clock }) =>
      async ({ signal }) =>
        `${counted(await sweepResults({ store, settlements, clock }, signal), 'result')} found`,
  },
  /** Completes what a crash interrupted: an erased customer may never write again to end their keys. */
  'resume-interrupted': {
    schedule: everyMinutes(5),
    start:
      ({ customers }) =>
      async () =>
        `${counted(await customers.resumeInterrupted(), 'customer')} put in order`,
  },
  record: {
    schedule: everyMinutes(60),
    start:
      ({ publishRecord }) =>
      async ({ signal }) => {
        const made = await publishRecord(signal);
        if (made === null) return 'nothing to measure yet';
        const { alerts, events, measured } = made;
        return `${counted(alerts, 'alert')} in ${counted(events, 'event')}, ${counted(measured, 'market')} measured`;
      },
  },
  retention: { schedule: dailyAt('03:20'), needsSettledTime: true, start: removeExpired },
};

/** The names of the jobs, also for processes that run none. */
export const JOB_NAMES: readonly string[] = Object.keys(JOBS);

export function createJobs(deps: JobDeps): readonly Job[] {
  return Object.entries(JOBS).map(([name, { start, ...job }]) => ({ ...job, name, run: start(deps) }));
}
