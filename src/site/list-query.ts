import { z } from 'zod';
import { MARKETS_PATH, SEARCH_PATH } from '../core/alerts/site-paths.ts';
import { conditionShape, filterShape } from '../http/query/alert-query.ts';
import { beforeShape } from '../http/query/cursor.ts';

/** Orders of the list other than the newest first. Each is one page: the first alerts of the last 30 days. */
const SORTS = ['strongest', 'win', 'put_in'] as const;
export type ListSort = (typeof SORTS)[number];

/** The list of alerts takes the names of the API, and an order. Values that it would refuse are ignored: a person gets the list. */
export const listQuerySchema = z.object({
  ...lenient({
    ...conditionShape,
    resolved: filterShape.resolved,
    sort: z.enum(SORTS).optional(),
    ...beforeShape,
  }),
  search: conditionShape.search.catch(undefined).transform((text) => text?.trim() || undefined),
});
export type ListQuery = Partial<z.infer<typeof listQuerySchema>>;
/** What narrows the list. */
export type ListFilter = Omit<ListQuery, 'sort' | 'before_id'>;

export function listPath(query: ListQuery): string {
  const values = new URLSearchParams();
  for (const name of Object.keys(listQuerySchema.shape) as (keyof ListQuery)[]) {
    const value = String(query[name] ?? '');
    const isLeftOut = name === 'before_id' && query.sort !== undefined;
    if (value !== '' && !isLeftOut) values.set(name, value);
  }
  return values.size === 0 ? '/' : `/?${values}`;
}

export const reportQuerySchema = z.object(lenient(beforeShape));
export type ReportPageQuery = z.infer<typeof reportQuerySchema>;

export function reportPath(path: string, { before_id: beforeId }: ReportPageQuery): string {
  return beforeId === undefined ? path : `${path}?before_id=${beforeId}`;
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
