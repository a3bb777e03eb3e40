import type { EpochMs } from '../trade.ts';

/**
 * Why the feed was blind. `stopped`: the service did not run. `unreachable`: the market did not answer. `refused`: it
 * answered with errors or a rate limit. `stalled`: its answers were outdated.
 */
const BLIND_CAUSES = ['stopped', 'unreachable', 'refused', 'stalled'] as const;
export type BlindCause = (typeof BLIND_CAUSES)[number];

/** `unconfirmed`: a source showed trades, but no source that guarantees completeness did. */
export const WINDOW_CAUSES = [...BLIND_CAUSES, 'unconfirmed'] as const;
export type WindowCause = (typeof WINDOW_CAUSES)[number];

/** A time range in which the service may have missed trades when they were made. */
export interface BlindWindow {
  readonly id: string;
  readonly startedAt: EpochMs;
  /** Null while the window is open. */
  readonly endedAt: EpochMs | null;
  readonly cause: WindowCause;
  /** When every trade of the window that the market still listed had been taken; null until then. */
  readonly backfilledAt: EpochMs | null;
}
