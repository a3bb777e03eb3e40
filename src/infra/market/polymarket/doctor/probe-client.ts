import { type RetryOptions, retry } from '../../../../core/base/async/retry.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { type MarketClient, UpstreamFault } from '../client/market-client.ts';

/** The market's client for probes: uses the doctor's share of the budget, and retries once. */
export function probeClient(client: Pick<MarketClient, 'get'>, clock: Clock): Pick<MarketClient, 'get'> {
  const isFinal = (error: unknown) => !isTransient(error);
  return {
    get: (request, signal) =>
      retryOnce(() => client.get({ ...request, purpose: 'doctor' }, signal), { clock, signal, isFinal }),
  };
}

/** A rate limit, a timeout and a server error may pass; a refusal stays. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

/** Repeats a failed request once, a second later: a transient failure is not a broken assumption. */
export function retryOnce<Answer>(
  ask: () => Promise<Answer>,
  options: Pick<RetryOptions, 'clock' | 'signal' | 'isFinal'>,
): Promise<Answer> {
  return retry(ask, { ...options, backoff: BACKOFF, attempts: 2 });
}
