import type { z } from 'zod';
import type { EpochMs } from '../../../core/trade.ts';
import { type MarketClient, type MarketRequest, UpstreamFault } from '../client/market-client.ts';
import type { RouteHealth } from './route-health.ts';

/** One question about a wallet. */
export interface Asking {
  readonly client: Pick<MarketClient, 'get'>;
  readonly routes: RouteHealth;
  /** In lower case. */
  readonly wallet: string;
  readonly before: EpochMs;
  readonly signal: AbortSignal;
}

type FactsRequest = Omit<MarketRequest, 'purpose'>;

/** The answer of a route, in the shape of the schema. Rejects with an `UpstreamFault` for anything else. */
export function askFor<Schema extends z.ZodType>(
  asking: Asking,
  request: FactsRequest,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return asking.routes.guard(request.path, asking.wallet, () => answerOf(asking, request, schema));
}

/** The same for a route that documents a 404 for a wallet it does not know: null then. */
export function askIfKnown<Schema extends z.ZodType>(
  asking: Asking,
  request: FactsRequest,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  return asking.routes.guard(request.path, asking.wallet, async () => {
    try {
      return await answerOf(asking, request, schema);
    } catch (error) {
      if (error instanceof UpstreamFault && error.status === 404) return null;
      throw error;
    }
  });
}

async function answerOf<Schema extends z.ZodType>(
  { client, signal }: Asking,
  request: FactsRequest,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const { body } = await client.get({ ...request, purpose: 'facts' }, signal);
  const { success, data } = schema.safeParse(body);
  if (success) return data;
  throw new UpstreamFault(`${request.path} answered in another shape`, { outcome: 'garbled', status: 200 });
}
