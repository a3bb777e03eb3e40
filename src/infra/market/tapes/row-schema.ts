import { z } from 'zod';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Row } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, isPlausibleTime, refusalOf } from './bad-row.ts';
import { type Categorise, parseMarket } from './market-row.ts';
import { isObject, parseJson, type RawRow } from './text-fields.ts';
import { parseTrade } from './trade-row.ts';
import { parseWallet } from './wallet-row.ts';

/** Parses one line of a tape into a row, or a reason why it is invalid. Never throws. `now`: the wall clock. */
export function createRowParser(categorise: Categorise) {
  return (line: string, now: EpochMs): Row | BadRow => {
    const value = parseJson(line);
    if (value === undefined) return badRow('not_json', line);
    return parseRow(value, now, categorise);
  };
}

/** The same for a value that is already parsed. */
export function parseRow(value: unknown, now: EpochMs, categorise: Categorise): Row | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', Array.isArray(value) ? 'array' : typeof value);
  if ('side' in value) return parseTrade(value, now);
  if ('question' in value) return parseMarket(value, now, categorise);
  if ('proxyWallet' in value) return parseWallet(value, now);
  if ('close' in value) return parseClose(value, now);
  return badRow('unknown_kind', Object.keys(value).slice(0, 5).join(', '));
}

/** When the live feed of a recording accepted this row; empty when the row has no plausible time. */
export function acceptedAtOf(value: unknown, now: EpochMs): { acceptedAt?: EpochMs } {
  const acceptedAt = isObject(value) ? value['acceptedAt'] : undefined;
  const isMoment = typeof acceptedAt === 'number' && isPlausibleTime(acceptedAt, now);
  return isMoment ? { acceptedAt: Math.round(acceptedAt) } : {};
}

const headerSchema = z.object({
  tape: z.object({ history: z.enum(['complete', 'partial']).default('partial') }),
});
export type TapeHeader = z.infer<typeof headerSchema>['tape'];

/** The header in a tape's first line; null when the line is an ordinary row or an invalid header. */
export function parseHeader(line: string): TapeHeader | null {
  const { data } = headerSchema.safeParse(parseJson(line));
  return data?.tape ?? null;
}

/** The header of a tape that begins with these bytes. */
export function headerOf(head: Buffer): TapeHeader | null {
  const end = head.indexOf('\n');
  return parseHeader(head.toString('utf8', 0, end < 0 ? head.length : end).replace(/^\uFEFF/, ''));
}

/** The orders of all trades before it are complete; `close` is the last second it closes. */
const closeSchema = z.object({ close: z.number() });

function parseClose(raw: RawRow, now: EpochMs): Row | BadRow {
  const { success, data, error } = closeSchema.safeParse(raw);
  if (!success) return refusalOf(raw, error);
  const at = Math.round(data.close * 1_000);
  return isPlausibleTime(at, now) ? { kind: 'close', at } : badRow('bad_time', 'close');
}
