import { endsWithin, withTimeout } from '../src/core/base/async/with-timeout.ts';
import type { Logger } from '../src/core/base/logger.ts';
import type { Clock } from '../src/core/base/time/clock.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/core/base/time/duration.ts';
import type { JobRun, JobRuns, TickSource } from '../src/core/operations/job-run-store.ts';
import type { Job, JobContext } from './schedule.ts';

const DRAIN_MS = 4 * SECOND_MS;

export interface JobRunnerOptions extends Omit<RunDeps, 'failures'> {
  /** Not started; closed with the runner. */
  readonly ticks: TickSource;
  readonly jobs: readonly Job[];
  /** Ends the running jobs, as `close` does. */
  readonly signal: AbortSignal;
}

/** Runs scheduled jobs, in the one process that works. A missed run is caught up on and a failed run is retried. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #failures: RunDeps['failures'] = new Map();
  readonly #stop = new AbortController();
  readonly #ended: AbortSignal;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#ended = AbortSignal.any([options.signal, this.#stop.signal]);
  }

  async start(): Promise<void> {
    await this.#options.ticks.start(this.#runTick);
  }

  /** Starts no further run, waits up to 4 s for the running ones, and closes the ticks. Also allowed after a failed start. */
  async close(): Promise<void> {
    const { clock, ticks, logger } = this.#options;
    this.#stop.abort();
    const ended = Promise.allSettled(this.#running.values());
    if (!(await endsWithin({ clock, timeoutMs: DRAIN_MS }, ended)))
      logger.warn({ jobs: [...this.#running.keys()] }, 'jobs are still running at the end');
    await ticks.close();
  }

  readonly #runTick = async (name: string): Promise<void> => {
    const job = this.#options.jobs.find((each) => each.name === name);
    if (job === undefined || this.#ended.aborted || this.#running.has(name)) return;
    const running = runDue({ ...this.#options, failures: this.#failures }, job, this.#ended);
    this.#running.set(name, running);
    try {
      const result = await running.catch((err: unknown) => {
        this.#options.logger.warn({ err, job: name }, 'job store unavailable; retrying at the next tick');
        throw err;
      });
      if (result.isRun && result.isFailed) throw new Error(result.outcome);
    } finally {
      this.#running.delete(name);
    }
  };
}

export const RUN_LIMIT_MS = 5 * MINUTE_MS;
const RETRY_MS = { min: MINUTE_MS, max: HOUR_MS };

export interface RunDeps {
  readonly jobRuns: Pick<JobRuns, 'begin' | 'end'>;
  readonly clock: Clock;
  /** While true no job begins: the clock of this host was set. */
  readonly isClockHeld: () => boolean;
  /** The period of each job that is failing, and since when, as far as this process has seen. Kept between calls. */
  readonly failures: Map<string, { readonly period: string; readonly since: EpochMs }>;
  readonly logger: Logger;
}

/** Not run: the newest period is done, it waits for its retry, or the clock was set. */
export type RunResult =
  | { readonly isRun: true; readonly period: string; readonly isFailed: boolean; readonly outcome: string }
  | { readonly isRun: false };

/** Runs the newest period unless it is done; once per process at a time. Throws as the store does. */
export async function runDue(deps: RunDeps, job: Job, signal: AbortSignal): Promise<RunResult> {
  const { jobRuns, clock, logger } = deps;
  if (deps.isClockHeld()) return { isRun: false };
  const startedAt = clock.now();
  const period = job.schedule(startedAt);
  const mayBeginAgain = (previous: JobRun) => {
    // Not running any more: this process runs a job once at a time, and an earlier one has ended or lost its lease.
    if (previous.endedAt === null) return true;
    return clock.now() >= previous.endedAt + retryAfter(deps, previous, previous.endedAt);
  };
  const run = await jobRuns.begin({ job: job.name, period, startedAt }, mayBeginAgain);
  if (run === null) return { isRun: false };
  const result = await outcomeOf(deps, job, { now: startedAt, period, signal });
  // It is begun again at the next start, as a run without an end.
  if (result.isFailed && signal.aborted) return { isRun: true, period, ...result };
  if (!result.isFailed) logger.debug({ job: job.name, period, outcome: result.outcome }, 'job done');
  await jobRuns.end(run, { at: clock.now(), ...result });
  return { isRun: true, period, ...result };
}

/** As long as the period has been failing, so that the pauses double. It may have become due long before. */
function retryAfter({ failures }: RunDeps, { job, period, startedAt }: JobRun, failedAt: EpochMs): number {
  const known = failures.get(job);
  const since = known?.period === period ? known.since : startedAt;
  failures.set(job, { period, since });
  return Math.min(RETRY_MS.max, Math.max(RETRY_MS.min, failedAt - since));
}

/** Logs a failure, unless the job was ended. */
async function outcomeOf(
  { clock, logger }: RunDeps,
  job: Job,
  context: JobContext,
): Promise<{ readonly outcome: string; readonly isFailed: boolean }> {
  const { signal, period } = context;
  try {
    const outcome = await withTimeout({ clock, timeoutMs: RUN_LIMIT_MS, signal }, (limited) =>
      job.run({ ...context, signal: limited }),
    );
    return { outcome, isFailed: false };
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, job: job.name, period }, 'job failed; retrying');
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: reason.slice(0, 200), isFailed: true };
  }
}
