import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { type Trade, UNKNOWN_OUTCOME } from '../../../../core/trades/trade.ts';
import { type BadRow, badRow } from '../../tapes/bad-row.ts';
import { isComboRow } from '../../tapes/combo.ts';
import { conditionIdOf, isObject } from '../../tapes/text-fields.ts';
import { parseTrade } from '../../tapes/trade-row.ts';

/** Shares have six decimals on the chain. Further digits are noise of floats, and would make two fills of one. */
const SHARE_UNIT = 1e6;

/** Field names of a trade row on a tape (as in Data API v1 and the live stream), each with the name in Data API v2. */
const FIELDS = {
  proxyWallet: 'proxy_wallet',
  side: 'side',
  asset: 'token_id',
  conditionId: 'condition_id',
  size: 'size',
  price: 'price',
  timestamp: 'timestamp',
  title: 'title',
  slug: 'slug',
  eventSlug: 'event_slug',
  outcome: 'outcome',
  outcomeIndex: 'outcome_index',
  transactionHash: 'transaction_hash',
  n: 'n',
  role: 'role',
} as const;
const NUMBERS: ReadonlySet<string> = new Set(['size', 'price', 'timestamp', 'outcomeIndex']);
/** Defaults of the fields that a trade can be judged without: the market's own row has them. */
const DISPENSABLE = { title: '', slug: '', outcome: '', outcomeIndex: UNKNOWN_OUTCOME } as const;

/**
 * A trade of any of the market's APIs as the row and line of a tape. The same fill gives the same row, whichever API it came
 * from. `isLenient` fills in the fields that a trade can be judged without.
 */
export function tradeLine(value: unknown, now: EpochMs, { isLenient = false } = {}): LiveRow | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', typeof value);
  if (isComboRow(value)) return badRow('combo', 'conditionId');
  const raw: Record<string, unknown> = isLenient ? { ...DISPENSABLE } : {};
  for (const [name, nameInV2] of Object.entries(FIELDS)) {
    const found = value[name] ?? value[nameInV2];
    if (found !== undefined && found !== null) raw[name] = NUMBERS.has(name) ? toNumber(found) : found;
  }
  for (const name of ['proxyWallet', 'transactionHash'] as const)
    if (typeof raw[name] === 'string') raw[name] = raw[name].toLowerCase();
  if (typeof raw['conditionId'] === 'string') raw['conditionId'] = conditionIdOf(raw['conditionId']);
  if (typeof raw['size'] === 'number') raw['size'] = Math.round(raw['size'] * SHARE_UNIT) / SHARE_UNIT;
  const row = parseTrade(raw, now);
  return row.kind === 'bad' ? row : { row, line: JSON.stringify(raw) };
}

export function removedRow({ row, line }: LiveRow): LiveRow {
  if (row.kind !== 'trade') throw new Error(`a ${row.kind} row cannot be removed`);
  return { row: { ...row, kind: 'removed' }, line: `${line.slice(0, -1)},"removed":true}` };
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

export interface ListedFill {
  readonly live: LiveRow;
  readonly trade: Trade;
}

/**
 * Numbers the equal fills of one answer by ascending price, so that all sources number them alike. An answer lists each
 * order once. Rows of different answers are never counted together, because answers overlap.
 */
export function numberEqualFills(fills: readonly ListedFill[]): readonly ListedFill[] {
  const counts = new Map<string, number>();
  for (const { trade } of fills) {
    const key = fillKey(trade);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === fills.length) return fills;
  const ordinals = new Map<ListedFill, number>();
  for (const fill of fills.toSorted((a, b) => b.trade.price - a.trade.price)) {
    const key = fillKey(fill.trade);
    const left = counts.get(key) as number;
    ordinals.set(fill, left);
    counts.set(key, left - 1);
  }
  return fills.map((fill) => numbered(fill, ordinals.get(fill) as number));
}

function numbered(fill: ListedFill, ordinal: number): ListedFill {
  if (ordinal === 1) return fill;
  const trade = { ...fill.trade, ordinal };
  const line = `${fill.live.line.slice(0, -1)},"n":${ordinal}}`;
  return { live: { row: { kind: 'trade', at: trade.at, trade }, line }, trade };
}
