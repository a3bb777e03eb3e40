import type { EpochMs } from '../base/time/duration.ts';

/** One run of a job for one period. */
export interface JobRun {
  readonly job: string;
  /** For example `2026-11-20`; (job, period) is unique. */
  readonly period: string;
  readonly owner: string;
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
   * Starts a run. Null when the period is done, or when `mayBeginAgain` refuses for a run of it that failed or has not
   * ended; with `isForced` also a period that is done is begun again. Of concurrent calls one succeeds.
   */
  begin(
    run: Pick<JobRun, 'job' | 'period' | 'owner' | 'startedAt'>,
    mayBeginAgain: (previous: JobRun) => boolean,
    options?: { readonly isForced: boolean },
  ): Promise<JobRun | null>;
  /** Ends a run. No effect when another process started it again meanwhile. */
  end(
    run: JobRun,
    result: { readonly at: EpochMs; readonly outcome: string; readonly isFailed: boolean },
  ): Promise<void>;
  /** The newest run of each job, by name. */
  latest(): Promise<readonly JobRun[]>;
  /** Removes runs that started before the moment, except the newest of each job. Returns how many. */
  prune(before: EpochMs): Promise<number>;
}

/** Tells when to check for due jobs. Late or double ticks do no harm: `JobRunStore` decides. */
export interface TickSource {
  /**
   * Calls `run` with the name of each job, immediately and then at intervals, again only after it has ended. `run` rejects
   * when the job failed, and has logged that. Throws when the database is unavailable.
   */
  start(run: (job: string) => Promise<void>): Promise<void>;
  /** Starts nothing more and releases connections. Also allowed before `start` and after its failure. */
  close(): Promise<void>;
}
