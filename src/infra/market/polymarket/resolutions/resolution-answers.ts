import { z } from 'zod';
import { conditionIdOf } from '../../tapes/text-fields.ts';
import { askInHalves, getAs, type MarketClient } from '../client/market-client.ts';

export const ANSWER_BATCH = 20;
/** Payouts are in millionths of a USDC per share. */
const MICRO = 1e6;

export interface ResolutionAnswer {
  readonly status: string;
  /** Payout of each outcome, USDC per share; null when the market is not resolved, or states none or not in numbers. */
  readonly payouts: readonly number[] | null;
}

const amount = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);
const answerSchema = z.object({ data: z.array(z.unknown()).nullable() });
export const resolutionRowSchema = z.object({
  condition_id: z.string().transform(conditionIdOf),
  status: z.string().toLowerCase().catch(''),
  payouts: z.array(amount).nullable().catch(null),
});

/** Answers for at most 20 markets, by id, without refused ids. Rejects when all fail or are refused. */
export async function askResolutions(
  client: MarketClient,
  marketIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ResolutionAnswer>> {
  const request = { api: 'data', path: '/v2/resolutions', purpose: 'resolutions' } as const;
  const { found, refused, refusal } = await askInHalves(marketIds, async (ids) => {
    const query = { condition: ids.join(',') };
    const { data } = await getAs(client, { ...request, query }, answerSchema, signal);
    const rows = (data.data ?? []).flatMap((row) => resolutionRowSchema.safeParse(row).data ?? []);
    return new Map(rows.map(({ condition_id: id, ...row }) => [id, { ...row, payouts: paidPayouts(row) }]));
  });
  if (refusal !== null && refused.length === marketIds.length) throw refusal;
  return found;
}

export function paidPayouts({ status, payouts }: ResolutionAnswer): readonly number[] | null {
  return status === 'resolved' ? (payouts?.map((paid) => paid / MICRO) ?? null) : null;
}
