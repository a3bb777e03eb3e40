import { z } from 'zod';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Market } from '../../../../core/trades/trade.ts';
import { type BadRow, badRow } from '../../tapes/bad-row.ts';
import { parseMarket } from '../../tapes/market-row.ts';
import { conditionIdOf, isObject, parseJson, type RawRow } from '../../tapes/text-fields.ts';

const needed = z
  .unknown()
  .optional()
  .transform((value) => value ?? undefined);
const text = usable(z.string());
const flag = usable(z.boolean());
const textOrNumber = z.union([z.string(), z.number()]);
const values = z.array(textOrNumber);
const list = usable(
  z.union([
    values,
    z.string().refine((json) => json.startsWith('[') && values.safeParse(parseJson(json)).success),
  ]),
);
const tags = usableItems(z.object({ slug: z.string().min(1) }));
const anything = z.unknown().optional();
const events = usableItems(z.object({ slug: anything, title: anything, tags }));

/** The fields of a market in a line of a tape. Optional ones with an unusable value are left out, and the market is kept. */
const lineSchema = z
  .object({
    conditionId: needed.transform((id) => (typeof id === 'string' ? conditionIdOf(id) : id)),
    question: needed,
    slug: needed,
    outcomes: needed,
    version: text,
    clobTokenIds: list,
    positionIds: list,
    outcomePrices: list,
    resolvedPayouts: list,
    endDate: text,
    category: text,
    closed: flag,
    closedTime: text,
    umaResolutionStatus: text,
    resolutionStatus: text,
    volume24hr: usable(textOrNumber),
    feesEnabled: flag,
    tags,
    events,
    feeSchedule: usable(z.object({ rate: textOrNumber, exponent: textOrNumber })),
  })
  .transform((market) => ({
    ...market,
    tags: tagsOf(market),
    events: market.events?.map(({ slug, title }) => ({ slug, title })),
  }));

export function marketLine(value: unknown): LiveRow | BadRow {
  if (!isObject(value)) return badRow('unknown_kind', typeof value);
  const raw = lineSchema.parse(value);
  // Without a time of its own, which would be compared with now.
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

type Tags = readonly { readonly slug: string }[] | undefined;

/** The market's own tags, otherwise those of its events; undefined when neither has any. */
function tagsOf(market: { tags?: Tags; events?: readonly { tags?: Tags }[] | undefined }): Tags {
  const own = market.tags ?? [];
  const given = own.length > 0 ? own : (market.events ?? []).flatMap((event) => event.tags ?? []);
  if (given.length === 0 && market.tags === undefined) return undefined;
  return [...new Set(given.map(({ slug }) => slug))].map((slug) => ({ slug }));
}

function usable<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

function usableItems<Schema extends z.ZodType>(schema: Schema) {
  const items = z.array(usable(schema)).transform((all) => all.filter((item) => item !== undefined));
  return usable(items);
}
