import { type Connection, type Model, Schema } from 'mongoose';
import type { JobRun, JobRunStore } from '../../core/operations/job-run-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `_id` is the job and the period. */
export interface JobRunDocument extends JobRun {
  readonly _id: string;
}

const NEWEST_FIRST = { job: 1, startedAt: -1, period: -1 } as const;

const jobRunSchema = new Schema<JobRunDocument>(
  {
    _id: String,
    job: String,
    period: String,
    owner: String,
    startedAt: Number,
    endedAt: Number,
    outcome: String,
    isFailed: Boolean,
  },
  { ...SCHEMA_OPTIONS, collection: 'job_runs' },
);
jobRunSchema.index(NEWEST_FIRST);

export function createJobRunModel(connection: Connection): Model<JobRunDocument> {
  return connection.model<JobRunDocument>('JobRun', jobRunSchema);
}

export function createMongoJobRunStore(runs: Model<JobRunDocument>): JobRunStore {
  return {
    async begin(begun, mayBeginAgain) {
      const run = { ...begun, endedAt: null, outcome: null, isFailed: false };
      const found = await runs.findById(idOf(run)).lean();
      if (found === null) return (await isFirst(run)) ? run : null;
      const isDone = found.endedAt !== null && !found.isFailed;
      if (isDone || !mayBeginAgain(toRun(found))) return null;
      // Only from the very state that was judged: whoever begins or ends it in between wins.
      const { owner, startedAt, endedAt } = found;
      const { matchedCount } = await runs.updateOne(
        { _id: found._id, owner, startedAt, endedAt },
        { $set: run },
      );
      return matchedCount === 1 ? run : null;
    },
    async end(run, { at, outcome, isFailed }) {
      const { owner, startedAt } = run;
      await runs.updateOne(
        { _id: idOf(run), owner, startedAt },
        { $set: { endedAt: at, outcome, isFailed } },
      );
    },
    latest: async () => (await newest()).map(toRun),
    async prune(before) {
      const kept = (await newest()).map(({ _id }) => _id);
      return (await runs.deleteMany({ startedAt: { $lt: before }, _id: { $nin: kept } })).deletedCount;
    },
  };

  async function isFirst(run: JobRun): Promise<boolean> {
    try {
      await runs.insertOne({ _id: idOf(run), ...run });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  function newest(): Promise<JobRunDocument[]> {
    return runs.aggregate<JobRunDocument>([
      { $sort: NEWEST_FIRST },
      { $group: { _id: '$job', newest: { $first: '$$ROOT' } } },
      { $replaceRoot: { newRoot: '$newest' } },
      { $sort: { job: 1 } },
    ]);
  }
}

function idOf({ job, period }: JobRun): string {
  return `${job} ${period}`;
}

function toRun({ _id, ...run }: JobRunDocument): JobRun {
  return run;
}
