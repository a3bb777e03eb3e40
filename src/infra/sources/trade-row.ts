import { z } from 'zod';
import type { EpochMs, Row } from '../../core/trade.ts';
import { type BadRow, badRow, isPlausibleTime, type RawRow, refusalOf } from './bad-row.ts';
import { cleanText } from './clean-text.ts';
import { conditionIdOf } from './condition-id.ts';
import { idSchema } from './id-schema.ts';

const written = z.string().overwrite(cleanText);

/** A trade as the market's Data API answers it, version 1. `eventSlug` and the profile fields are not used. */
const tradeSchema = z.object({
  proxyWallet: idSchema,
  side: z.enum(['BUY', 'SELL']),
  asset: idSchema,
  conditionId: idSchema,
  // More shares than the market could ever issue are no trade, and would overflow the sums.
  size: z.number().positive().max(1e12),
  price: z.number().min(0).max(1),
  timestamp: z.number(),
  title: written,
  slug: written,
  outcome: written,
  outcomeIndex: z.int().min(0),
  transactionHash: idSchema,
});

export function parseTrade(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = tradeSchema.safeParse(raw);
  if (!success) return refusalOf(raw, error);
  const at = Math.round(data.timestamp * 1_000);
  if (!isPlausibleTime(at, now)) return badRow('bad_time', 'timestamp');
  return {
    kind: 'trade',
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
      outcome: data.outcome,
      outcomeIndex: data.outcomeIndex,
      transaction: data.transactionHash,
    },
  };
}
