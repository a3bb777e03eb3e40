import type { TierPolicy } from '../../core/tier.ts';
import type { EpochMs } from '../../core/trade.ts';
import type { Caller } from '../hooks/caller.ts';
import type { ServerDeps } from '../server-deps.ts';

/** Alerts created after this moment do not exist for the caller (design, free delay). Infinity for real time. */
export function visibleUntil(
  { isRealtime }: Pick<TierPolicy, 'isRealtime'>,
  { clock, freeDelayMs }: Pick<ServerDeps, 'clock' | 'freeDelayMs'>,
): EpochMs {
  return isRealtime ? Number.POSITIVE_INFINITY : clock.now() - freeDelayMs;
}

/** How old an alert must be to count in the figures a caller gets. Null: a caller without a key. */
export function figuresDelayMs(
  caller: Caller | null,
  { freeDelayMs }: Pick<ServerDeps, 'freeDelayMs'>,
): number {
  return caller?.policy.isRealtime === true ? 0 : freeDelayMs;
}
