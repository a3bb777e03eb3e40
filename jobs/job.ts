import type { EpochMs } from '../src/core/trade.ts';
import type { JobSchedule } from './schedule.ts';

/** What a run is told. */
export interface JobContext {
  readonly now: EpochMs;
  /** What the run is for (`Schedule`). */
  readonly period: string;
  /** Aborts when the service stops or the run has taken too long. */
  readonly signal: AbortSignal;
}

/** A piece of clock work. */
export interface Job {
  /** Lower case with dashes; `job:NAME` is its switch. */
  readonly name: string;
  readonly schedule: JobSchedule;
  /**
   * Does what is due and says what it did, in a sentence. Throws when it could not: it is called again for the same
   * period then, as it is after a crash, so that it has to be idempotent.
   */
  run(context: JobContext): Promise<string>;
}

/** `1 message`, `2 messages`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
