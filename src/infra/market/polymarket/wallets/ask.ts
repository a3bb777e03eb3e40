import type { z } from 'zod';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { BLIND_AFTER_MS } from '../../../../core/trades/coverage/coverage-record.ts';
import { getAs, type MarketClient, type MarketRequest, UpstreamFault } from '../client/market-client.ts';
import { LIST_LAG_MS } from '../trades/trade-pages.ts';

export interface Asking {
  readonly client: Pick<MarketClient, 'get'>;
  readonly wallet: string;
  readonly before: EpochMs;
  readonly signal: AbortSignal;
}

/**
 * How far behind the trade an answer may be that may lack the trade itself: the list's lag and an outage that is not reported
 * yet. The feed has seen what the wallet traded in that time.
 */
export const BEHIND_MAX_MS = LIST_LAG_MS + BLIND_AFTER_MS;

/** The answer of a route, and the latest moment whose state of the market it can show. */
export function ask<Schema extends z.ZodType>(
  { client, signal }: Asking,
  request: Omit<MarketRequest, 'purpose' | 'shape'>,
  shape: Schema,
) {
  return getAs(client, { ...request, purpose: 'facts' }, shape, signal);
}

/** A failure, not a refusal: a later answer will have what this one lacks. */
export function behindFault(path: string): UpstreamFault {
  const message = `${path} answered with what is older than the trade`;
  return new UpstreamFault(message, { outcome: 'refused', status: 503 });
}
