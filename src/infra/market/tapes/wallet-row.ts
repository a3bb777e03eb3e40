import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Row } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, isPlausibleTime, refusalOf } from './bad-row.ts';
import { idSchema, parseMoment, type RawRow } from './text-fields.ts';

/** A wallet's profile date and number of traded markets; one of them may be missing. */
const walletSchema = z.object({
  proxyWallet: idSchema,
  createdAt: z.string().nullish(),
  traded: z.int().min(0).nullish(),
  at: z.number().nullish(),
});

export function parseWallet(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = walletSchema.safeParse(raw);
  if (!success) return refusalOf(raw, error);
  if (data.createdAt === undefined && data.traded === undefined) return badRow('missing_field', 'createdAt');
  const createdAt = data.createdAt == null ? null : parseMoment(data.createdAt);
  if (createdAt === null && data.createdAt != null) return badRow('wrong_type', 'createdAt');
  const at = data.at == null ? null : Math.round(data.at * 1_000);
  if (at !== null && !isPlausibleTime(at, now)) return badRow('bad_time', 'at');
  const facts = { wallet: data.proxyWallet.toLowerCase(), createdAt, marketsTraded: data.traded ?? null };
  return { kind: 'wallet', at, facts };
}
