import type { AgendaBackend } from 'agenda';
import { SECOND_MS } from '../src/core/duration.ts';
import type { JobRun, JobRunStore } from '../src/core/operations/job-run-store.ts';
import { createAgendaTicks, type Pace } from './agenda-ticks.ts';
import type { Job } from './job.ts';
import { type RunDeps, type RunResult, runDue } from './run-due.ts';

const DRAIN_MS = 5 * SECOND_MS;

export interface JobRunnerDeps extends RunDeps {
  /** Not connected yet; the runner connects and disconnects it. */
  readonly backend: AgendaBackend;
  readonly jobs: readonly Job[];
  readonly jobRuns: JobRunStore;
  /** Default: every job is looked at twice a minute. */
  readonly pace?: Pace;
}

/** How a job stands, for the operator. */
export interface JobStatus {
  readonly name: string;
  /** In words. */
  readonly schedule: string;
  /** Of any process; null when it never ran. */
  readonly lastRun: JobRun | null;
  readonly isPaused: boolean;
}

/** Clock work, once across all processes on a database, made up after a stop and tried again after a failure. */
export interface JobRunner {
  /** Throws when the database cannot be reached. */
  start(): Promise<void>;
  /** Runs a job now if it is due, also when it failed a moment ago; null when there is none of this name. */
  run(name: string): Promise<RunResult | null>;
  status(): Promise<readonly JobStatus[]>;
  /** Begins nothing more, gives what runs 5 s to end, and lets go of the database; also after a failed start. */
  close(): Promise<void>;
}

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { backend, jobs, jobRuns, isPaused, owner, clock, logger, pace } = deps;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const running = new Map<string, Promise<RunResult>>();
  const stop = new AbortController();
  let closing: Promise<void> | null = null;
  const ticks = createAgendaTicks({ backend, names: [...byName.keys()], onTick, owner, clock, logger, pace });

  /** What runs here already is not begun a second time; whoever asks for it gets what comes of it. */
  function begin(job: Job, isUrgent: boolean): Promise<RunResult> {
    const current = running.get(job.name);
    if (current !== undefined) return current;
    const started = runDue(deps, job, { signal: stop.signal, isUrgent });
    const tracked = started.finally(() => running.delete(job.name));
    running.set(job.name, tracked);
    return tracked;
  }

  function onTick(name: string): void {
    const job = byName.get(name);
    if (job === undefined || stop.signal.aborted) return;
    begin(job, false).catch((err: unknown) =>
      logger.warn({ err, job: name }, 'a job could not be looked at; trying again'),
    );
  }

  async function end(): Promise<void> {
    stop.abort();
    const over = new AbortController();
    await Promise.race([Promise.allSettled(running.values()), clock.sleep(DRAIN_MS, over.signal)]);
    over.abort();
    await ticks.close();
  }

  return {
    start: ticks.start,
    run: async (name) => {
      const job = byName.get(name);
      return job === undefined ? null : begin(job, true);
    },
    async status() {
      const latest = new Map((await jobRuns.latest()).map((run) => [run.job, run]));
      return jobs.map(({ name, schedule }) => ({
        name,
        schedule: schedule.words,
        lastRun: latest.get(name) ?? null,
        isPaused: isPaused(`job:${name}`),
      }));
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}
