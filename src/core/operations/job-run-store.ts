import type { EpochMs } from '../trade.ts';

/** One run of a job for one period. */
export interface JobRun {
  readonly job: string;
  /** What it was for, for example `2026-11-20`; (job, period) is unique. */
  readonly period: string;
  readonly owner: string;
  readonly startedAt: EpochMs;
  /** Null while it runs, or when its process died. */
  readonly endedAt: EpochMs | null;
  /** What it did, in a sentence; or why it failed. */
  readonly outcome: string | null;
  readonly isFailed: boolean;
}

/** Which periods were done. */
export interface JobRunStore {
  /**
   * Null when this period is done, or when `mayBeginAgain` says no to the run of it that failed or has not ended. Of
   * several that begin at once one does.
   */
  begin(
    run: Pick<JobRun, 'job' | 'period' | 'owner' | 'startedAt'>,
    mayBeginAgain: (previous: JobRun) => boolean,
  ): Promise<JobRun | null>;
  /** Nothing when the run was begun again by another meanwhile. */
  end(
    run: JobRun,
    result: { readonly at: EpochMs; readonly outcome: string; readonly isFailed: boolean },
  ): Promise<void>;
  /** The newest run of each job, by name. */
  latest(): Promise<readonly JobRun[]>;
  /** Removes what began before the moment, but never the newest of a job. Returns how many. */
  prune(before: EpochMs): Promise<number>;
}
