import { z } from 'zod';
import type { EpochMs, Row } from '../../core/trade.ts';
import { type BadRow, badRow, isPlausibleTime, type RawRow, refusalOf } from './bad-row.ts';

/** The orders of all trades before it are complete; `close` is the last second it closes. */
const closeSchema = z.object({ close: z.number() });

export function parseClose(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = closeSchema.safeParse(raw);
  if (!success) return refusalOf(raw, error);
  const at = Math.round(data.close * 1_000);
  return isPlausibleTime(at, now) ? { kind: 'close', at } : badRow('bad_time', 'close');
}
