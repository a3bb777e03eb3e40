import type { Clock } from '../../../core/clock.ts';
import type { EpochMs } from '../../../core/trade.ts';

/**
 * Tells at once of the first event, then at most once in `everyMs`, with the number of events since it last told. Events
 * after which no more come are not told of.
 */
export function throttleLog(
  clock: Pick<Clock, 'now'>,
  everyMs: number,
  log: (count: number) => void,
): () => void {
  let count = 0;
  let loggedAt: EpochMs | null = null;
  return () => {
    count += 1;
    const now = clock.now();
    if (loggedAt !== null && Math.abs(now - loggedAt) < everyMs) return;
    loggedAt = now;
    log(count);
    count = 0;
  };
}
