import type { EpochMs } from './trade.ts';

/** The wall clock, and a sleep that resolves early when the signal aborts. */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
