import { z } from 'zod';
import {
  type Declaration,
  type Documents,
  LONG_CALL_MS,
  type OpenDocuments,
} from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';

const schema = z.strictObject({
  /** `${job} ${period}`. */
  id: z.string(),
  job: z.string(),
  /** For example `2026-11-20`; (job, period) is unique. */
  period: z.string(),
  startedAt: z.int(),
  /** Null while it runs, or after its process died. */
  endedAt: z.int().nullable(),
  /** What it did, in a sentence, or why it failed. */
  outcome: z.string().nullable(),
  isFailed: z.boolean(),
});

/** One run of a job for one period. */
export type JobRun = z.infer<typeof schema>;

const JOB_RUNS: Declaration<JobRun> = {
  kind: 'job_runs',
  schema,
  indexes: { job_runs_by_start: { fields: ['job', 'startedAt'] } },
};

/** History of job runs, which decides what is due. */
export class JobRuns {
  readonly #runs: Documents<JobRun>;

  constructor(open: OpenDocuments) {
    this.#runs = open(JOB_RUNS);
  }

  /**
   * Starts a run. Null when the period is done, or when `mayBeginAgain` refuses to repeat a run that failed or has not ended.
   * Only one of several concurrent calls succeeds.
   */
  async begin(
    { job, period, startedAt }: Pick<JobRun, 'job' | 'period' | 'startedAt'>,
    mayBeginAgain: (previous: JobRun) => boolean,
  ): Promise<JobRun | null> {
    const id = `${job} ${period}`;
    const run = { id, job, period, startedAt, endedAt: null, outcome: null, isFailed: false };
    const found = await this.#runs.get(id);
    if (found === null) return (await this.#runs.insertMissing([run])).length === 1 ? run : null;
    const isDone = found.endedAt !== null && !found.isFailed;
    if (isDone || !mayBeginAgain(found)) return null;
    // Only from the state that was judged: another process that begins or ends the run in between wins.
    const judged = { id, startedAt: found.startedAt, endedAt: found.endedAt };
    const set = { startedAt, endedAt: null, outcome: null, isFailed: false };
    return (await this.#runs.update(judged, { set })) === 1 ? run : null;
  }

  /** Ends a run. No effect when it was begun again meanwhile. */
  async end(
    { id, startedAt }: JobRun,
    { at: endedAt, outcome, isFailed }: { at: EpochMs; outcome: string; isFailed: boolean },
  ): Promise<void> {
    await this.#runs.update({ id, startedAt }, { set: { endedAt, outcome, isFailed } });
  }

  /** The newest run of each job, by name. */
  async latest(): Promise<readonly JobRun[]> {
    const newest: JobRun[] = [];
    for (let beyond = ''; ; ) {
      const [next] = await this.#runs.find({ where: { id: { gt: beyond } }, order: 'id', limit: 1 });
      if (next === undefined) return newest;
      const { job } = next;
      newest.push(...(await this.#runs.find({ where: { job }, order: '-startedAt', limit: 1 })));
      // After the space of this job's ids, and before the letters, digits and hyphens that a longer name has there.
      beyond = `${job}!`;
    }
  }

  /** Removes runs that started before the moment, except the newest of each job. Returns how many. */
  async prune(before: EpochMs): Promise<number> {
    let removed = 0;
    for (const { job, startedAt } of await this.latest()) {
      const old = { job, startedAt: { lt: Math.min(before, startedAt) } };
      removed += await this.#runs.delete(old, { timeoutMs: LONG_CALL_MS });
    }
    return removed;
  }
}

/** Signals when to check for due jobs. Late or duplicate ticks do no harm, since `JobRuns` decides. */
export interface TickSource {
  /**
   * Calls `run` with the name of each job, immediately and then at intervals, again only after it has ended. `run` rejects
   * when the job failed, and has logged that. Throws when the database is unavailable.
   */
  start(run: (job: string) => Promise<void>): Promise<void>;
  /** Starts nothing more, and releases connections. May be called before `start` and after it failed. */
  close(): Promise<void>;
}
