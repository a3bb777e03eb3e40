import type { EpochMs } from '../base/time/duration.ts';

/** One run of a job for one period. */
export interface JobRun {
  readonly job: string;
  /** For example `2026-11-20`; (job, period) is unique. */
  readonly period: string;
  readonly startedAt: EpochMs;
  /** Null while it runs, or after its process died. */
  readonly endedAt: EpochMs | null;
  /** What it did, in a sentence, or why it failed. */
  readonly outcome: string | null;
  readonly isFailed: boolean;
}

/** History of job runs, which decides what is due. */
export interface JobRunStore {
  /**
   * Starts a run. Null when the period is done, or when `mayBeginAgain` refuses to repeat a run that failed or has not ended.
   * Only one of several concurrent calls succeeds.
   */
  begin(
    run: Pick<JobRun, 'job' | 'period' | 'startedAt'>,
    mayBeginAgain: (previous: JobRun) => boolean,
  ): Promise<JobRun | null>;
  /** Ends a run. No effect when it was begun again meanwhile. */
  end(
    run: JobRun,
    result: { readonly at: EpochMs; readonly outcome: string; readonly isFailed: boolean },
  ): Promise<void>;
  /** The newest run of each job, by name. */
  latest(): Promise<readonly JobRun[]>;
  /** Removes runs that started before the moment, except the newest of each job. Returns how many. */
  prune(before: EpochMs): Promise<number>;
}

/** Signals when to check for due jobs. Late or duplicate ticks do no harm, since `JobRunStore` decides. */
export interface TickSource {
  /**
   * Calls `run` with the name of each job, immediately and then at intervals, again only after it has ended. `run` rejects
   * when the job failed, and has logged that. Throws when the database is unavailable.
   */
  start(run: (job: string) => Promise<void>): Promise<void>;
  /** Starts nothing more, and releases connections. May be called before `start` and after it failed. */
  close(): Promise<void>;
}
