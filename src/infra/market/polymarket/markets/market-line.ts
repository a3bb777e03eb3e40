import type { EpochMs } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Market } from '../../../../core/trades/trade.ts';
import { type BadRow, badRow } from '../../tapes/bad-row.ts';
import { parseMarket } from '../../tapes/market-row.ts';
import { conditionIdOf, isObject, parseJson, type RawRow } from '../../tapes/text-fields.ts';

/** Fields of a market in a line of a tape, besides tags, events and the fee schedule, each with the check of its value. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  conditionId: isText,
  question: isText,
  slug: isText,
  outcomes: isList,
  version: isText,
  clobTokenIds: isList,
  positionIds: isList,
  outcomePrices: isList,
  resolvedPayouts: isList,
  endDate: isText,
  category: isText,
  closed: (value) => typeof value === 'boolean',
  closedTime: isText,
  umaResolutionStatus: isText,
  resolutionStatus: isText,
  volume24hr: isTextOrNumber,
  feesEnabled: (value) => typeof value === 'boolean',
};
/** Required fields. Other fields with an unusable value are left out, and the market is kept. */
const NEEDED: ReadonlySet<string> = new Set(['conditionId', 'question', 'slug', 'outcomes']);

/** Gamma's answer for a market as the row and line of a tape. */
export function marketLine(value: unknown, now: EpochMs): LiveRow | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', typeof value);
  const raw: Record<string, unknown> = {};
  for (const [name, isOfUse] of Object.entries(FIELDS)) {
    const found = value[name];
    if (found != null && (NEEDED.has(name) || isOfUse(found))) raw[name] = found;
  }
  if (typeof raw['conditionId'] === 'string') raw['conditionId'] = conditionIdOf(raw['conditionId']);
  const events = objectsOf(value['events']);
  const tags = tagsOf(value, events);
  if (tags !== null) raw['tags'] = tags;
  if (events !== null) raw['events'] = events.map(({ slug, title }) => ({ slug, title }));
  const feeSchedule = feeScheduleOf(value);
  if (feeSchedule !== null) raw['feeSchedule'] = feeSchedule;
  const row = parseMarket(raw, now);
  return row.kind === 'bad' ? row : { row, line: JSON.stringify(raw) };
}

/** The same market with some fields replaced. */
export function withFields(live: LiveRow, fields: RawRow, now: EpochMs): LiveRow | BadRow {
  return marketLine({ ...JSON.parse(live.line), ...fields }, now);
}

/** The market of a market row. Throws for rows of other kinds. */
export function marketOf({ row }: LiveRow): Market {
  if (row.kind !== 'market') throw new Error(`a ${row.kind} is no market`);
  return row.market;
}

/** The market's own tags, otherwise those of its events; null when neither has any. */
function tagsOf(market: RawRow, events: readonly RawRow[] | null): readonly { slug: string }[] | null {
  const own = objectsOf(market['tags']);
  const given =
    own !== null && own.length > 0 ? own : (events?.flatMap((event) => objectsOf(event['tags']) ?? []) ?? []);
  const slugs = given.flatMap(({ slug }) => (typeof slug === 'string' && slug !== '' ? slug : []));
  if (slugs.length === 0 && own === null) return null;
  return [...new Set(slugs)].map((slug) => ({ slug }));
}

/** Its rate and exponent; null unless both can be read. */
function feeScheduleOf({ feeSchedule }: RawRow): RawRow | null {
  if (!isObject(feeSchedule)) return null;
  const { rate, exponent } = feeSchedule;
  return isTextOrNumber(rate) && isTextOrNumber(exponent) ? { rate, exponent } : null;
}

function objectsOf(value: unknown): readonly RawRow[] | null {
  return Array.isArray(value) ? value.filter(isObject) : null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** `1e999` is valid JSON, but not a finite number. */
function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value);
}

/** A list of texts or numbers, or the JSON text of one. */
function isList(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('[') && isList(parseJson(value));
  return Array.isArray(value) && value.every(isTextOrNumber);
}
