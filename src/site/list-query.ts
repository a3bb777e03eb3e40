import { z } from 'zod';
import { conditionShape, filterShape } from '../http/query/alert-query.ts';
import { beforeShape } from '../http/query/cursor.ts';

/** Orders of the list other than the newest first. Each is one page: the first alerts of the last 30 days. */
const SORTS = ['strongest', 'win'] as const;
export type Sort = (typeof SORTS)[number];

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

function lenient<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const schemas = Object.entries(shape).map(([name, schema]) => [name, schema.catch(undefined)]);
  return Object.fromEntries(schemas) as { [Name in keyof Shape]: z.ZodCatch<Shape[Name]> };
}
