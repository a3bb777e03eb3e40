import { withoutJitter } from '../../../core/async/backoff.ts';
import { retry } from '../../../core/async/retry.ts';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';

const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

interface RetryOnceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the failure may pass. */
  readonly isTransient: (error: unknown) => boolean;
}

/** Repeats a failed request once, a second later: a transient failure is not a broken assumption. */
export function retryOnce<Answer>(
  { clock, signal, isTransient }: RetryOnceOptions,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const isFinal = (error: unknown) => !isTransient(error);
  return retry(ask, { clock, signal, backoff: BACKOFF, random: withoutJitter, attempts: 2, isFinal });
}
