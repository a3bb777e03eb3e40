import { z } from 'zod';
import { MARKETS_PATH, SEARCH_PATH } from '../core/alerts/site-paths.ts';
import { conditionShape, filterShape } from '../http/query/alert-query.ts';
import { beforeShape } from '../http/query/cursor.ts';

/** Strongest: those of a window with the highest score. Ending: open bets, by the stated ends of their markets. */
const SORTS = ['strongest', 'newest', 'ending'] as const;
export type ListSort = (typeof SORTS)[number];
/** Windows of the strongest. */
export const WINDOW_DAYS = ['1', '7', '30'] as const;
export type WindowDays = (typeof WINDOW_DAYS)[number];

/** The list of alerts takes the names of the API, an order and a window. Values that it would refuse are ignored: a person gets the list. */
export const listQuerySchema = z.object({
  ...lenient({
    ...conditionShape,
    resolved: filterShape.resolved,
    sort: z.enum(SORTS).optional(),
    days: z.enum(WINDOW_DAYS).optional(),
    ...beforeShape,
  }),
  search: conditionShape.search.catch(undefined).transform((text) => text?.trim() || undefined),
});
export type ListQuery = Partial<z.infer<typeof listQuerySchema>>;
/** What narrows the list. */
export type ListFilter = Omit<ListQuery, 'sort' | 'days' | 'before_id'>;

/** The order of a list. Of what a wallet, a market or words name, all is wanted, the newest first; only that order has pages. */
export function orderOf({ sort, before_id: beforeId, search, wallet, market }: ListQuery): ListSort {
  const isNamed = (search ?? wallet ?? market) !== undefined;
  return sort ?? (isNamed || beforeId !== undefined ? 'newest' : 'strongest');
}

/** The one address of a list: without what its order does not use, or is without being asked. */
export function listPath(query: ListQuery): string {
  const order = orderOf(query);
  const { sort: _sort, before_id: beforeId, days, ...filter } = query;
  const kept: ListQuery = {
    ...filter,
    ...(order === 'newest' && { before_id: beforeId }),
    ...(order === 'strongest' && { days }),
  };
  const asked: ListQuery = order === orderOf(kept) ? kept : { ...kept, sort: order };
  const values = new URLSearchParams();
  for (const name of Object.keys(listQuerySchema.shape) as (keyof ListQuery)[]) {
    const value = String(asked[name] ?? '');
    if (value !== '') values.set(name, value);
  }
  return values.size === 0 ? '/' : `/?${values}`;
}

/** Orders of the open markets; default: by alerts. */
export const marketsQuerySchema = z.object(lenient({ sort: z.enum(['usdc', 'ends']).optional() }));
export type MarketsQuery = z.infer<typeof marketsQuerySchema>;

export function marketsPath({ sort }: Partial<MarketsQuery>): string {
  return sort === undefined ? MARKETS_PATH : `${MARKETS_PATH}?sort=${sort}`;
}

export const searchQuerySchema = listQuerySchema.pick({ search: true });

/** Leads to what a text names, or to the page of all that it finds. */
export function searchPath(search: string): string {
  return `${SEARCH_PATH}?${new URLSearchParams({ search })}`;
}

function lenient<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const schemas = Object.entries(shape).map(([name, schema]) => [name, schema.catch(undefined)]);
  return Object.fromEntries(schemas) as { [Name in keyof Shape]: z.ZodCatch<Shape[Name]> };
}
