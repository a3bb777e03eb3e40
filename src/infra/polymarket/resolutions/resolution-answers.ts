import { z } from 'zod';
import { conditionIdOf } from '../../sources/condition-id.ts';
import { type MarketClient, UpstreamFault } from '../client/market-client.ts';
import { askInHalves } from '../in-halves.ts';

/** Ids a request, as documented. */
export const ANSWER_BATCH = 20;
/** USDC a share are stated in millionths. */
const MICRO = 1e6;
/** The states in which a market is not resolved; a word beyond these is no resolution either. */
export const OPEN_STATES: ReadonlySet<string> = new Set([
  'initialized',
  'posed',
  'proposed',
  'challenged',
  'reproposed',
  'disputed',
  'active',
  'arbitration',
]);

/** What the market says of the resolution of one of its own. */
export interface ResolutionAnswer {
  readonly status: string;
  /** What a share of each outcome pays, USDC; null when that is not said, or not in numbers. Only for a resolved one. */
  readonly payouts: readonly number[] | null;
}

const amount = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);
const answerSchema = z.object({ data: z.array(z.unknown()).nullable() });
/** A row of `/v2/resolutions`; payouts in millionths of a USDC. */
export const resolutionRowSchema = z.object({
  condition_id: z.string().transform(conditionIdOf),
  status: z.string().toLowerCase().catch(''),
  payouts: z.array(amount).nullable().catch(null),
});

/**
 * What Data API v2 says of at most 20 markets, by id; those it does not know, and ids it refuses, are absent. Rejects when
 * it fails, or refuses all.
 */
export async function askResolutions(
  client: Pick<MarketClient, 'get'>,
  marketIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ResolutionAnswer>> {
  const { found, refused, refusal } = await askInHalves(marketIds, (ids) => askBatch(client, ids, signal));
  if (refusal !== null && refused.length === marketIds.length) throw refusal;
  return found;
}

async function askBatch(
  client: Pick<MarketClient, 'get'>,
  marketIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ResolutionAnswer>> {
  const query = { condition: marketIds.join(',') };
  const { body } = await client.get(
    { api: 'data', path: '/v2/resolutions', query, purpose: 'resolutions' },
    signal,
  );
  const { data, success } = answerSchema.safeParse(body);
  if (!success) throw new UpstreamFault('no list of resolutions', { outcome: 'garbled', status: 200 });
  const rows = (data.data ?? []).flatMap((row) => resolutionRowSchema.safeParse(row).data ?? []);
  return new Map(
    rows.map(({ condition_id, status, payouts }) => [
      condition_id,
      { status, payouts: paidPayouts(status, payouts) },
    ]),
  );
}

/** What a share of each outcome pays, USDC; null where the market is not resolved, or that is not said. */
export function paidPayouts(status: string, payouts: readonly number[] | null): readonly number[] | null {
  return status === 'resolved' ? (payouts?.map((paid) => paid / MICRO) ?? null) : null;
}
