import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { type Row, SIDES, TRADE_ROLES } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, isPlausibleTime, refusalOf } from './bad-row.ts';
import { conditionIdOf, idSchema, optionalText, type RawRow, writtenText } from './text-fields.ts';

/** More equal fills than fit in one transaction. */
const MOST_EQUAL_FILLS = 10_000;

/** A trade of a tape, with the field names of the Data API's version 1 and of the live stream. Profile fields are not used. */
const tradeSchema = z.object({
  proxyWallet: idSchema,
  side: z.enum(SIDES),
  asset: idSchema,
  conditionId: idSchema,
  // More shares than the market could ever issue would overflow the sums.
  size: z.number().positive().max(1e12),
  price: z.number().min(0).max(1),
  timestamp: z.number(),
  title: writtenText,
  slug: writtenText,
  eventSlug: optionalText,
  outcome: writtenText,
  outcomeIndex: z.int().min(0),
  transactionHash: idSchema,
  n: z.int().min(1).max(MOST_EQUAL_FILLS).nullish().catch(null),
  role: z.enum(TRADE_ROLES).nullish().catch(null),
  removed: z.boolean().nullish().catch(null),
});

export function parseTrade(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = tradeSchema.safeParse(raw);
  if (!success) return refusalOf(raw, error);
  const at = Math.round(data.timestamp * 1_000);
  if (!isPlausibleTime(at, now)) return badRow('bad_time', 'timestamp');
  return {
    kind: data.removed === true ? 'removed' : 'trade',
    at,
    trade: {
      wallet: data.proxyWallet.toLowerCase(),
      side: data.side,
      asset: data.asset,
      marketId: conditionIdOf(data.conditionId),
      shares: data.size,
      price: data.price,
      at,
      title: data.title,
      slug: data.slug,
      eventSlug: data.eventSlug,
      outcome: data.outcome,
      outcomeIndex: data.outcomeIndex,
      transaction: data.transactionHash,
      ordinal: data.n ?? 1,
      role: data.role ?? null,
    },
  };
}
