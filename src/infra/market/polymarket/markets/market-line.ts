import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Market } from '../../../../core/trades/trade.ts';
import { type BadRow, badRow } from '../../tapes/bad-row.ts';
import { marketRowSchema, parseMarket } from '../../tapes/market-row.ts';
import { conditionIdOf, isObject, type RawRow } from '../../tapes/text-fields.ts';

const NEEDED: ReadonlySet<string> = new Set(['conditionId', 'question', 'slug', 'outcomes']);
/** All but a time of its own, which would be compared with now. */
const { at: _, ...FIELDS } = marketRowSchema.shape;

/** A market as the row and line of a tape. Optional fields with an unusable value are left out, and the market is kept. */
export function marketLine(value: unknown): LiveRow | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', typeof value);
  const given: RawRow = { ...value, ...partsOf(value) };
  const raw: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(FIELDS)) {
    const field = given[name] ?? undefined;
    if (NEEDED.has(name) || schema.safeParse(field).success) raw[name] = field;
  }
  const row = parseMarket(raw, 0);
  return row.kind === 'bad' ? row : { row, line: JSON.stringify(raw) };
}

export function withFields(live: LiveRow, fields: RawRow): LiveRow | BadRow {
  return marketLine({ ...JSON.parse(live.line), ...fields });
}

export function marketOf({ row }: LiveRow): Market {
  if (row.kind !== 'market') throw new Error(`a ${row.kind} is not a market`);
  return row.market;
}

/** What of these fields a tape has. The tags are the market's own, otherwise those of its events; absent when neither has any. */
function partsOf({ conditionId, tags, events, ...row }: RawRow): RawRow {
  const own = slugsOf(tags);
  const slugs = own.length > 0 ? own : itemsOf(events).flatMap((event) => slugsOf(event['tags']));
  const hasTags = slugs.length > 0 || Array.isArray(tags);
  return {
    conditionId: typeof conditionId === 'string' ? conditionIdOf(conditionId) : conditionId,
    endDate: row['endDate'] ?? itemsOf(events)[0]?.['endDate'],
    tags: hasTags ? [...new Set(slugs)].map((slug) => ({ slug })) : undefined,
    events: Array.isArray(events) ? itemsOf(events).map(({ slug }) => ({ slug })) : undefined,
  };
}

function itemsOf(list: unknown): readonly RawRow[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function slugsOf(tags: unknown): readonly string[] {
  return itemsOf(tags).flatMap(({ slug }) => (typeof slug === 'string' && slug !== '' ? slug : []));
}
