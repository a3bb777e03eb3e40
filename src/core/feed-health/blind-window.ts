import type { EpochMs } from '../trade.ts';

/**
 * Why the feed was blind. `stopped`: the service did not run. `unreachable`: the market did not answer. `refused`: it
 * answered with errors or asked to wait. `stalled`: it answered with what was old.
 */
const BLIND_CAUSES = ['stopped', 'unreachable', 'refused', 'stalled'] as const;
export type BlindCause = (typeof BLIND_CAUSES)[number];

/** `unconfirmed`: not blind, a source showed trades, but none that vouches for being complete did. */
export const WINDOW_CAUSES = [...BLIND_CAUSES, 'unconfirmed'] as const;
export type WindowCause = (typeof WINDOW_CAUSES)[number];

/** A time in which trades may have been made that the service did not see when they were made. */
export interface BlindWindow {
  readonly id: string;
  readonly startedAt: EpochMs;
  /** Null while it lasts. */
  readonly endedAt: EpochMs | null;
  readonly cause: WindowCause;
  /** When all that the market still listed of the window had been taken; null when that has not been possible. */
  readonly backfilledAt: EpochMs | null;
}
