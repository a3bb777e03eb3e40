import { z } from 'zod';
import type { AlertType } from '../core/detection/candidate.ts';
import type { Category } from '../core/trades/trade.ts';
import { filterShape } from '../http/query/alert-query.ts';
import { beforeShape } from '../http/query/cursor.ts';

/** The list of alerts takes the names of the API. Values that it would refuse are ignored: a person gets the list. */
export const listQuerySchema = z.object({
  category: filterShape.category.catch(undefined),
  alert_type: filterShape.alert_type.catch(undefined),
  min_signal: filterShape.min_signal.catch(undefined),
  resolved: filterShape.resolved.catch(undefined),
  search: filterShape.search
    .catch(undefined)
    .transform((text) => text?.trim())
    .transform((text) => (text === '' ? undefined : text)),
  before_id: beforeShape.before_id.catch(undefined),
});

/** What a list of alerts shows. */
export interface ListQuery {
  readonly category?: Category | undefined;
  readonly alert_type?: AlertType | undefined;
  readonly min_signal?: number | undefined;
  readonly resolved?: boolean | undefined;
  readonly search?: string | undefined;
  readonly before_id?: number | undefined;
}

/** In this order, so that equal lists have one address. */
const NAMES = ['category', 'alert_type', 'min_signal', 'resolved', 'search', 'before_id'] as const;

/** The one address of a list. */
export function listPath(query: ListQuery): string {
  const values = new URLSearchParams();
  for (const name of NAMES) {
    const value = query[name];
    if (value !== undefined) values.set(name, String(value));
  }
  return values.size === 0 ? '/' : `/?${values}`;
}
