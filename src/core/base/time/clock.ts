import type { EpochMs } from './duration.ts';

/** The wall clock, and a sleep that resolves early when the signal aborts. */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that also measures durations. */
export interface SteadyClock extends Clock {
  /** Milliseconds since a moment of its own. A wall clock that is set does not affect them. */
  monotonic(): number;
}
