import type { JobRun, JobRunStore } from '../../core/operations/job-run-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';
import type { Sort } from './filter.ts';

export const JOB_RUNS: Declaration<JobRun> = {
  name: 'job_runs',
  fields: {
    job: 'text',
    period: 'text',
    owner: 'text',
    startedAt: 'integer',
    endedAt: 'integer?',
    outcome: 'text?',
    isFailed: 'boolean',
  },
  key: ['job', 'period'],
  separator: ' ',
  sqliteIndexes: { job_runs_by_start: { fields: ['job', 'startedAt', 'period'] } },
  mongoIndexes: [{ fields: ['job', '-startedAt', '-period'] }],
};

const NEWEST_FIRST: Sort<JobRun> = ['-startedAt', '-period'];

export function createJobRunStore(open: OpenCollection): JobRunStore {
  const runs = open(JOB_RUNS);

  /** The newest run of each job, by name. */
  async function latest(): Promise<JobRun[]> {
    const jobs = await runs.distinct('job');
    const found = jobs.map((job) => runs.find({ where: { job }, sort: NEWEST_FIRST, limit: 1 }));
    return (await Promise.all(found)).flat();
  }

  return {
    async begin(begun, mayBeginAgain) {
      const run = { ...begun, endedAt: null, outcome: null, isFailed: false };
      const { job, period } = run;
      const found = await runs.get(job, period);
      if (found === null) return (await runs.insertNew([run])).length === 1 ? run : null;
      const isDone = found.endedAt !== null && !found.isFailed;
      if (isDone || !mayBeginAgain(found)) return null;
      // Only from the state that was judged: another process that begins or ends the run in between wins.
      const { owner, startedAt, endedAt } = found;
      return (await runs.update({ job, period, owner, startedAt, endedAt }, { set: run })) === 1 ? run : null;
    },
    async end({ job, period, owner, startedAt }, { at: endedAt, outcome, isFailed }) {
      await runs.update({ job, period, owner, startedAt }, { set: { endedAt, outcome, isFailed } });
    },
    latest,
    async prune(before) {
      const removed = (await latest()).map(({ job, period }) =>
        runs.delete({ job, startedAt: { lt: before }, period: { ne: period } }),
      );
      return (await Promise.all(removed)).reduce((sum, count) => sum + count, 0);
    },
  };
}
