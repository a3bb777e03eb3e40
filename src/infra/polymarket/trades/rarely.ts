import type { Clock } from '../../../core/clock.ts';
import type { EpochMs } from '../../../core/trade.ts';

/**
 * Tells at once of the first event, then at most once in `everyMs`, with the number of events since it last told. Events
 * after which no more come are not told of.
 */
export function rarely(
  clock: Pick<Clock, 'now'>,
  everyMs: number,
  tell: (count: number) => void,
): () => void {
  let count = 0;
  let toldAt: EpochMs | null = null;
  return () => {
    count += 1;
    const now = clock.now();
    if (toldAt !== null && Math.abs(now - toldAt) < everyMs) return;
    toldAt = now;
    tell(count);
    count = 0;
  };
}
