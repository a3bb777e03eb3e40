import { withTimeout } from '../src/core/base/async/with-timeout.ts';
import type { SteadyClock } from '../src/core/base/time/clock.ts';
import { SECOND_MS } from '../src/core/base/time/duration.ts';
import { SettledTime } from '../src/core/base/time/settled-time.ts';
import type { JobRun, JobRunStore } from '../src/core/operations/job-run-store.ts';
import type { TickSource } from '../src/core/operations/tick-source.ts';
import { type RunDeps, type RunOptions, type RunResult, runDue } from './run-due.ts';
import type { Job } from './schedule.ts';

const DRAIN_MS = 5 * SECOND_MS;

/** What a `JobRunner` runs, and on which ticks. */
export interface JobRunnerOptions extends Omit<RunDeps, 'settledTime' | 'failures'> {
  readonly clock: SteadyClock;
  /** Not started; closed with the runner. */
  readonly ticks: TickSource;
  readonly jobs: readonly Job[];
  readonly jobRuns: JobRunStore;
}

/** State of a job for the operator. */
export interface JobStatus {
  readonly name: string;
  /** In words, for example `every 15 minutes`. */
  readonly schedule: string;
  /** The last run in any process; null when the job never ran. */
  readonly lastRun: JobRun | null;
  readonly isPaused: boolean;
}

/** Runs scheduled jobs, once across all processes on a database. A missed run is made up and a failed run is retried. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #settledTime: SettledTime;
  readonly #running = new Map<string, Promise<RunResult>>();
  readonly #failures: RunDeps['failures'] = new Map();
  readonly #stop = new AbortController();
  #closing: Promise<void> | null = null;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#settledTime = new SettledTime(options.clock);
  }

  /** Throws when the database is unavailable. */
  async start(): Promise<void> {
    await this.#options.ticks.start(this.#onTick);
  }

  /**
   * Runs a job now if it is due, without the pause after a failure; with `isForced` also when its newest period is done. Null
   * when no job has this name.
   */
  readonly run = async (name: string, { isForced } = { isForced: false }): Promise<RunResult | null> => {
    const job = this.#find(name);
    return job === undefined ? null : this.#begin(job, { isUrgent: true, isForced });
  };

  async status(): Promise<readonly JobStatus[]> {
    const { jobs, jobRuns, isPaused } = this.#options;
    const latest = new Map((await jobRuns.latest()).map((run) => [run.job, run]));
    return jobs.map(({ name, schedule }) => ({
      name,
      schedule: schedule.words,
      lastRun: latest.get(name) ?? null,
      isPaused: isPaused(`job:${name}`),
    }));
  }

  /** Starts no further run, waits up to 5 s for the running ones, and closes the ticks. Also allowed after a failed start. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { clock, ticks } = this.#options;
    this.#stop.abort();
    const ended = Promise.allSettled(this.#running.values());
    await withTimeout({ clock, timeoutMs: DRAIN_MS }, ended).catch(() => {});
    await ticks.close();
  }

  readonly #onTick = (name: string): void => {
    const job = this.#find(name);
    if (job === undefined || this.#stop.signal.aborted) return;
    this.#begin(job, { isUrgent: false }).catch((err: unknown) =>
      this.#options.logger.warn({ err, job: name }, 'job store unavailable; retrying at the next tick'),
    );
  };

  #find(name: string): Job | undefined {
    return this.#options.jobs.find((job) => job.name === name);
  }

  /** A job that runs in this process is not started twice: both callers get the result of the same run. */
  #begin(job: Job, how: Omit<RunOptions, 'signal'>): Promise<RunResult> {
    const current = this.#running.get(job.name);
    if (current !== undefined) return current;
    const deps = {
      ...this.#options,
      settledTime: () => this.#settledTime.look(),
      failures: this.#failures,
    };
    const run = runDue(deps, job, { ...how, signal: this.#stop.signal });
    const tracked = run.finally(() => this.#running.delete(job.name));
    this.#running.set(job.name, tracked);
    return tracked;
  }
}
