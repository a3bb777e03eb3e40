import type { EpochMs } from './trade.ts';

/** The wall clock, and a wait that an abort ends early (it resolves then; the caller looks at the signal). */
export interface Clock {
  now(): EpochMs;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
