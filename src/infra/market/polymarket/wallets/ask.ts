import type { z } from 'zod';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { BLIND_AFTER_MS } from '../../../../core/trades/coverage/coverage-record.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';
import { LIST_LAG_MS } from '../trades/trade-pages.ts';

/** A question about one wallet. */
export interface Asking {
  readonly client: Pick<MarketClient, 'get'>;
  /** In lower case. */
  readonly wallet: string;
  readonly before: EpochMs;
  readonly signal: AbortSignal;
}

/**
 * How far behind the trade an answer may be that may lack the trade itself: the list's lag and an outage that is not reported
 * yet. The feed has seen what the wallet traded in that time.
 */
export const BEHIND_MAX_MS = LIST_LAG_MS + BLIND_AFTER_MS;

type FactsRequest = Omit<MarketRequest, 'purpose' | 'shape'>;

/** An answer, and the latest moment whose state of the market it can show. */
interface Dated<Data> extends Pick<MarketAnswer, 'asOf'> {
  readonly data: Data;
}

/** The answer of a route, in the shape of the schema. Rejects with an `UpstreamFault` for anything else. */
export async function ask<Schema extends z.ZodType>(
  { client, signal }: Asking,
  request: FactsRequest,
  shape: Schema,
): Promise<Dated<z.infer<Schema>>> {
  const { body, asOf } = await client.get({ ...request, purpose: 'facts', shape }, signal);
  return { data: shape.parse(body), asOf };
}

/** The same for a route that documents a 404 for a wallet it does not know: null then. */
export async function askIfKnown<Schema extends z.ZodType>(
  asking: Asking,
  request: FactsRequest,
  shape: Schema,
): Promise<z.infer<Schema> | null> {
  try {
    return (await ask(asking, { ...request, mayBeAbsent: true }, shape)).data;
  } catch (error) {
    if (error instanceof UpstreamFault && error.status === 404) return null;
    throw error;
  }
}

/** A failure, not a refusal: a later answer will have what this one lacks. */
export function behindFault(path: string): UpstreamFault {
  const message = `${path} answered with what is older than the trade`;
  return new UpstreamFault(message, { outcome: 'refused', status: 503 });
}
