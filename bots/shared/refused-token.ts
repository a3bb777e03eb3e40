import { backoffMs, withoutJitter } from '../../src/core/async/backoff.ts';
import { MINUTE_MS } from '../../src/core/duration.ts';

const BACKOFF = { firstMs: MINUTE_MS, mostMs: 15 * MINUTE_MS };

/** Pause after so many refusals of a token in a row. One bot has the token: no jitter. */
export function refusedWaitMs(refusals: number): number {
  return backoffMs(BACKOFF, refusals, withoutJitter);
}
