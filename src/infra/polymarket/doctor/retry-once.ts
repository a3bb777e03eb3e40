import { withoutJitter } from '../../../core/async/backoff.ts';
import { retry } from '../../../core/async/retry.ts';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';

/** Runs the request again after a second when its failure may be temporary: one failure does not refute an assumption. */
export function retryOnce<Answer>(
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly isTemporary: (error: unknown) => boolean;
  },
  request: () => Promise<Answer>,
): Promise<Answer> {
  return retry(request, {
    clock: options.clock,
    signal: options.signal,
    attempts: 2,
    backoff: { firstMs: SECOND_MS, mostMs: SECOND_MS },
    random: withoutJitter,
    isFinal: (error) => !options.isTemporary(error),
  });
}
