import { withTimeout } from '../src/core/async/with-timeout.ts';
import type { Clock } from '../src/core/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../src/core/duration.ts';
import type { Logger } from '../src/core/logger.ts';
import type { JobRun, JobRunStore } from '../src/core/operations/job-run-store.ts';
import type { PausableName } from '../src/core/operations/pause-store.ts';
import type { Job } from './job.ts';
import type { DueSlot } from './schedule.ts';

/** A run that takes longer has failed. */
export const RUN_LIMIT_MS = 5 * MINUTE_MS;
/** A run that has not ended by then is begun again, though its process may live: it has failed without saying so. */
export const RUN_LEASE_MS = 2 * RUN_LIMIT_MS;
const RETRY_MS = { min: MINUTE_MS, max: HOUR_MS };

export interface RunDeps {
  readonly jobRuns: Pick<JobRunStore, 'begin' | 'end'>;
  readonly isPaused: (name: PausableName) => boolean;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more. */
  readonly isGone: (owner: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `not_due`: its newest period is done, another process does it, or it failed a short while ago. */
export type RunResult =
  | { readonly isRun: true; readonly period: string; readonly isFailed: boolean; readonly outcome: string }
  | { readonly isRun: false; readonly reason: 'paused' | 'not_due' };

/**
 * Runs the job for its newest period unless that is done: whoever asks, however often, in whatever process. Must not be
 * called again in this process before it ends. `isUrgent` does not wait after a failure. Throws when the store fails.
 */
export async function runDue(
  deps: RunDeps,
  job: Job,
  { signal, isUrgent }: { readonly signal: AbortSignal; readonly isUrgent: boolean },
): Promise<RunResult> {
  const { jobRuns, owner, clock, logger } = deps;
  if (deps.isPaused(`job:${job.name}`)) return { isRun: false, reason: 'paused' };
  const startedAt = clock.now();
  const slot = job.schedule.slotAt(startedAt);
  const { period } = slot;
  const run = await jobRuns.begin({ job: job.name, period, owner, startedAt }, (previous) => {
    if (previous.endedAt === null) return isAbandoned(deps, previous);
    return isUrgent || clock.now() >= previous.endedAt + retryAfter(previous.endedAt, slot);
  });
  if (run === null) return { isRun: false, reason: 'not_due' };
  const result = await outcomeOf(deps, job, { run, signal });
  const log = { job: job.name, period, outcome: result.outcome };
  if (result.isFailed) logger.warn(log, 'a job failed; it is tried again');
  else logger.debug(log, 'a job has run');
  await jobRuns.end(run, { at: clock.now(), ...result });
  return { isRun: true, period, ...result };
}

/** One of our own that has not ended could not be written as ended: this process does nothing for it now. */
function isAbandoned({ owner, isGone, clock }: RunDeps, previous: JobRun): boolean {
  if (previous.owner === owner || isGone(previous.owner)) return true;
  return clock.now() - previous.startedAt >= RUN_LEASE_MS;
}

/** As long again as it has failed already, so that the waits double. */
function retryAfter(failedAt: number, { dueAt }: DueSlot): number {
  return Math.min(RETRY_MS.max, Math.max(RETRY_MS.min, failedAt - dueAt));
}

async function outcomeOf(
  { clock }: RunDeps,
  job: Job,
  { run, signal }: { readonly run: JobRun; readonly signal: AbortSignal },
): Promise<{ readonly outcome: string; readonly isFailed: boolean }> {
  const over = new AbortController();
  const context = {
    now: run.startedAt,
    period: run.period,
    signal: AbortSignal.any([signal, over.signal]),
  };
  try {
    const outcome = await withTimeout({ clock, timeoutMs: RUN_LIMIT_MS }, job.run(context));
    return { outcome, isFailed: false };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: reason.slice(0, 200), isFailed: true };
  } finally {
    over.abort();
  }
}
