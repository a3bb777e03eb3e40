import { z } from 'zod';
import type { EpochMs, Row } from '../../core/trade.ts';
import { type BadRow, badRow, isPlausibleTime, type RawRow } from './bad-row.ts';
import { parseClose } from './close-row.ts';
import { type Categorise, parseMarket } from './market-row.ts';
import { parseTrade } from './trade-row.ts';
import { parseWallet } from './wallet-row.ts';

/** Turns one line of a tape into a row, or says why it cannot be used. Never throws. `now`: the wall clock. */
export type RowParser = (line: string, now: EpochMs) => Row | BadRow;

export function createRowParser(categorise: Categorise): RowParser {
  return (line, now) => {
    const value = parseJson(line);
    if (value === undefined) return badRow('not_json', line);
    return parseRow(value, now, categorise);
  };
}

/** The same for an answer that is parsed already. */
export function parseRow(value: unknown, now: EpochMs, categorise: Categorise): Row | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', Array.isArray(value) ? 'array' : typeof value);
  if ('side' in value) return parseTrade(value, now);
  if ('question' in value) return parseMarket(value, now, categorise);
  if ('proxyWallet' in value) return parseWallet(value, now);
  if ('close' in value) return parseClose(value, now);
  return badRow('unknown_kind', Object.keys(value).slice(0, 5).join(', '));
}

/** When the live feed of a recording accepted this row; nothing where the row does not say so in earnest. */
export function acceptedAtOf(value: unknown, now: EpochMs): { acceptedAt?: EpochMs } {
  const acceptedAt = isObject(value) ? value['acceptedAt'] : undefined;
  const isMoment = typeof acceptedAt === 'number' && isPlausibleTime(acceptedAt, now);
  return isMoment ? { acceptedAt: Math.round(acceptedAt) } : {};
}

const headerSchema = z.object({
  tape: z.object({ history: z.enum(['complete', 'partial']).default('partial') }),
});
export type TapeHeader = z.infer<typeof headerSchema>['tape'];

/** The header a tape's first line may be; null when it is an ordinary row or no proper header. */
export function parseHeader(line: string): TapeHeader | null {
  const { data } = headerSchema.safeParse(parseJson(line));
  return data?.tape ?? null;
}

/** The header of a tape that begins with these bytes. */
export function headerOf(head: Buffer): TapeHeader | null {
  const end = head.indexOf('\n');
  return parseHeader(head.toString('utf8', 0, end < 0 ? head.length : end).replace(/^\uFEFF/, ''));
}

function isObject(value: unknown): value is RawRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON has no undefined, so that it can stand for "no JSON". */
export function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
