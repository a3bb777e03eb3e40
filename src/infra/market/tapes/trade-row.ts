import type { EpochMs } from '../../../core/base/time/duration.ts';
import { type Row, SIDES, TRADE_ROLES, type Trade } from '../../../core/trades/trade.ts';
import { type BadRow, badField, badRow, isPlausibleTime } from './bad-row.ts';
import { isComboRow } from './combo.ts';
import { cleanText, conditionIdOf, isId, type RawRow } from './text-fields.ts';

type SameFields = Pick<Trade, 'side' | 'asset' | 'price' | 'title' | 'slug' | 'outcome' | 'outcomeIndex'>;

/** What a trade of a tape must have, with the field names of the Data API's version 1 and of the live stream. */
interface RawTrade extends SameFields {
  readonly proxyWallet: string;
  readonly conditionId: string;
  readonly size: number;
  readonly timestamp: number;
  readonly transactionHash: string;
}

interface Check {
  readonly field: keyof RawTrade;
  isValid(value: unknown): boolean;
}

/** In the order of what is reported. Not a schema of zod, with which a trade takes 2.5 times as long: a tape has millions. */
const CHECKS: readonly Check[] = [
  { field: 'proxyWallet', isValid: isId },
  { field: 'side', isValid: isOneOf(SIDES) },
  { field: 'asset', isValid: isId },
  { field: 'conditionId', isValid: isId },
  // More shares than the market could ever issue would overflow the sums.
  { field: 'size', isValid: (value) => isNumber(value) && value > 0 && value <= 1e12 },
  { field: 'price', isValid: (value) => isNumber(value) && value >= 0 && value <= 1 },
  { field: 'timestamp', isValid: isNumber },
  { field: 'title', isValid: isText },
  { field: 'slug', isValid: isText },
  { field: 'outcome', isValid: isText },
  { field: 'outcomeIndex', isValid: (value) => isInteger(value) && value >= 0 },
  { field: 'transactionHash', isValid: isId },
];

/** More equal fills than fit in one transaction. */
const MOST_EQUAL_FILLS = 10_000;

/** Fields without which a trade is judged are ignored where they are invalid. Profile fields are not used. */
export function parseTrade(raw: RawRow, now: EpochMs): Row | BadRow {
  const failed = CHECKS.find(({ field, isValid }) => !isValid(raw[field]));
  if (failed !== undefined) return badField(raw, [failed.field]);
  if (isComboRow(raw)) return badRow('combo', 'conditionId');
  const valid = raw as unknown as RawTrade;
  const at = Math.round(valid.timestamp * 1_000);
  if (!isPlausibleTime(at, now)) return badRow('bad_time', 'timestamp');
  const { eventSlug, n: ordinal, role, removed } = raw;
  const trade: Trade = {
    wallet: valid.proxyWallet.toLowerCase(),
    side: valid.side,
    asset: valid.asset,
    marketId: conditionIdOf(valid.conditionId),
    shares: valid.size,
    price: valid.price,
    at,
    title: cleanText(valid.title),
    slug: cleanText(valid.slug),
    eventSlug: isText(eventSlug) ? cleanText(eventSlug) || null : null,
    outcome: cleanText(valid.outcome),
    outcomeIndex: valid.outcomeIndex,
    transaction: valid.transactionHash,
    ordinal: isInteger(ordinal) && ordinal >= 1 && ordinal <= MOST_EQUAL_FILLS ? ordinal : 1,
    role: isRole(role) ? role : null,
  };
  return { kind: removed === true ? 'removed' : 'trade', at, trade };
}

const isRole = isOneOf(TRADE_ROLES);

function isOneOf<Value>(values: readonly Value[]) {
  return (value: unknown): value is Value => values.includes(value as Value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
