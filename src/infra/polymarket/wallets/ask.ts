import type { z } from 'zod';
import type { EpochMs } from '../../../core/trade.ts';
import { type MarketClient, type MarketRequest, UpstreamFault } from '../client/market-client.ts';

/** One question about a wallet. */
export interface Asking {
  readonly client: Pick<MarketClient, 'get'>;
  /** In lower case. */
  readonly wallet: string;
  readonly before: EpochMs;
  readonly signal: AbortSignal;
}

/** The answer of a route in the shape that is wanted of it. Anything else is an `UpstreamFault`. */
export async function askFor<Schema extends z.ZodType>(
  { client, signal }: Pick<Asking, 'client' | 'signal'>,
  request: Omit<MarketRequest, 'purpose'>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { body } = await client.get({ ...request, purpose: 'facts' }, signal);
  const { success, data } = schema.safeParse(body);
  if (success) return data;
  throw new UpstreamFault(`${request.path} answered in another shape`, { outcome: 'garbled', status: 200 });
}

/** The same for a route that answers 404 for a wallet it does not know: null then. */
export async function askIfKnown<Schema extends z.ZodType>(
  ...[asking, request, schema]: Parameters<typeof askFor<Schema>>
): Promise<z.infer<Schema> | null> {
  try {
    return await askFor(asking, request, schema);
  } catch (error) {
    if (error instanceof UpstreamFault && error.status === 404) return null;
    throw error;
  }
}
