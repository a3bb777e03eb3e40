import { expect } from 'vitest';
import { type RunDeps, type RunResult, runDue } from '../../jobs/job-runner.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { dailyAt, type Job, type JobContext, type JobDeps } from '../../jobs/schedule.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Database } from '../../src/core/database.ts';
import type { TickSource } from '../../src/core/operations/job-run-store.ts';
import { createFakeClock } from '../support/clock.ts';
import { silentLogger } from '../support/silent-logger.ts';

export const MORNING = Date.UTC(2026, 10, 21, 10);

export function notedJob(work: (turn: JobContext) => Promise<string> = async () => 'done') {
  const contexts: JobContext[] = [];
  const job: Job = {
    name: 'daily-digest',
    schedule: dailyAt('00:05'),
    run: (turn) => {
      contexts.push(turn);
      return work(turn);
    },
  };
  return { job, contexts, periods: () => contexts.map(({ period }) => period) };
}

export function createTicksByHand() {
  let run: ((job: string) => Promise<void>) | null = null;
  let isClosed = false;
  const ticks: TickSource = {
    start: async (listener) => {
      run = listener;
    },
    close: async () => {
      isClosed = true;
    },
  };
  return { ticks, tick: (job: string) => run?.(job).catch(() => {}), isClosed: () => isClosed };
}

export function openJobFixture({ jobRuns }: Pick<Database, 'jobRuns'>) {
  const clock = createFakeClock(MORNING);
  const stop = new AbortController();
  /** A process that works, after the others before it. */
  const process = (overrides: Partial<RunDeps> = {}) => {
    const deps: RunDeps = {
      jobRuns,
      clock,
      isClockHeld: () => false,
      failures: new Map(),
      logger: silentLogger,
      ...overrides,
    };
    return (job: Job): Promise<RunResult> => runDue(deps, job, stop.signal);
  };
  return { clock, stop, process };
}

export function jobNamed(
  name: string,
  { database = {}, ...parts }: Partial<Omit<JobDeps, 'database'>> & { database?: object },
): Job {
  const own = { clock: { now: () => MORNING }, yieldToLoop: async () => {} };
  const jobs = createJobs({ ...own, ...parts, database: database as Database } as JobDeps);
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
}

const running = new AbortController().signal;
export const run = (job: Job, given: { now?: number; period?: string; signal?: AbortSignal } = {}) =>
  job.run({ now: MORNING, period: '2026-11-20', signal: running, ...given });

/** An outbox that takes each id once, as the real one does. */
export function openOutbox() {
  const messages = new Map<string, NewChatMessage>();
  const add = async (given: readonly NewChatMessage[]) => {
    expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
    const added = given.filter(({ id }) => !messages.has(id));
    for (const message of added) messages.set(message.id, message);
    return added.map(({ id }) => id);
  };
  return { chat: { add }, ids: () => [...messages.keys()], all: () => [...messages.values()] };
}
