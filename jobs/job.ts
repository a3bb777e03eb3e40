import type { EpochMs } from '../src/core/trade.ts';
import type { JobSchedule } from './schedule.ts';

/** Context of a run. */
export interface JobContext {
  readonly now: EpochMs;
  /** Period of the run (`JobSchedule`). */
  readonly period: string;
  /** Aborts when the service stops, and at the time limit of the run. */
  readonly signal: AbortSignal;
}

/** A scheduled job. */
export interface Job {
  /** Lower case with dashes; `job:NAME` is the name of its pause. */
  readonly name: string;
  readonly schedule: JobSchedule;
  /**
   * Does the work and returns what it did, in a sentence. Must be idempotent: after a failure or a crash it is called again
   * for the same period.
   */
  run(context: JobContext): Promise<string>;
}

/** `1 message`, `2 messages`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
