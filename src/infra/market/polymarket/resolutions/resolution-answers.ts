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
  /** The same by the price at which UMA settled the question of two outcomes; null when it states none that can be read. */
  readonly pricePayouts: readonly number[] | null;
}

const amount = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);
const amountOrFraction = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
]);
const answerSchema = z.object({ data: z.array(z.unknown()).nullable() });
export const resolutionRowSchema = z.object({
  condition_id: z.string().transform(conditionIdOf),
  /** A row without a state says nothing. */
  status: z.string().min(1).toLowerCase(),
  payouts: z
    .array(amount)
    .refine((paid) => paid.some((each) => each > 0))
    .nullable()
    .catch(null),
  price: amountOrFraction.nullable().catch(null),
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
    return new Map(rows.map((row) => [row.condition_id, answerOf(row)]));
  });
  if (refusal !== null && refused.length === marketIds.length) throw refusal;
  return found;
}

export function answerOf({ status, payouts, price }: z.infer<typeof resolutionRowSchema>): ResolutionAnswer {
  if (status !== 'resolved') return { status, payouts: null, pricePayouts: null };
  return {
    status,
    payouts: payouts?.map((paid) => paid / MICRO) ?? null,
    pricePayouts: payoutsByPrice(price),
  };
}

/** Units of UMA's prices: 1, also written in 18 decimals. `69` means that there is none. */
const ONES: readonly number[] = [1, 1e18];

/** What a share of the first outcome and of the second one pay. */
function payoutsByPrice(price: number | null): readonly number[] | null {
  if (price === 0) return [0, 1];
  if (price !== null && ONES.includes(price)) return [1, 0];
  return price !== null && ONES.includes(price * 2) ? [0.5, 0.5] : null;
}
