import type { TierPolicy } from '../../core/accounts/tier.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { Caller } from '../hooks/api-key-auth.ts';
import type { ServerDeps } from '../server-deps.ts';

/** Alerts created after this time do not exist for the caller. Infinity for real time. */
export function visibleUntil(
  { isRealtime }: Pick<TierPolicy, 'isRealtime'>,
  { clock, freeDelayMs }: Pick<ServerDeps, 'clock' | 'freeDelayMs'>,
): EpochMs {
  return isRealtime ? Number.POSITIVE_INFINITY : clock.now() - freeDelayMs;
}

/** The minimum age of alerts in the figures of a caller. `caller`: null without a key. */
export function figuresDelayMs(
  caller: Caller | null,
  { freeDelayMs }: Pick<ServerDeps, 'freeDelayMs'>,
): number {
  return caller?.policy.isRealtime === true ? 0 : freeDelayMs;
}
