import type { Alert } from './alert.ts';
import type { AlertFilter } from './alert-store.ts';
import { putInOf } from './bet.ts';
import { isFound, readSearch } from './search-text.ts';

/** The fields of a filter that look at one alert; the others are its range of time and ids, and the later alerts of its thread. */
export type Criteria = Omit<AlertFilter, 'since' | 'until' | 'asOf' | 'afterId' | 'beforeId' | 'isPerBet'>;

/** The conditions whose result does not change after an alert's publication. */
export type LastingFilter = Omit<Criteria, 'isResolved'>;

/** One condition per field of a filter. A field without one does not compile. */
export type Conditions<Filter, Facts> = {
  readonly [Field in keyof Filter]-?: (wanted: NonNullable<Filter[Field]>, facts: Facts) => boolean;
};

/** The condition of each filter field. Those on `Facets` need only these fields of the alert. */
export const CONDITIONS: Conditions<Pick<LastingFilter, keyof Facets | 'categories'>, Facets> &
  Conditions<LastingFilter, Alert> = {
  category: (wanted, { category }) => category === wanted,
  categories: (wanted, { category }) => wanted.includes(category),
  side: (wanted, { side }) => side === wanted,
  type: (wanted, { type }) => type === wanted,
  minUsdc: (wanted, { usdc }) => usdc > wanted,
  minPosition: (wanted, alert) => putInOf(alert) >= wanted,
  minScore: (wanted, { score }) => score >= wanted,
  search: (wanted, alert) => isFound(readSearch(wanted), alert),
  wallet: (wanted, { wallet }) => wallet === wanted,
  market: (wanted, { marketId, eventSlug }) =>
    marketId.toLowerCase() === wanted || eventSlug.toLowerCase() === wanted,
};

type Facets = Pick<Alert, 'category' | 'side' | 'type'>;

/** Whether all conditions of the filter hold. */
export function fulfils<Filter, Facts>(
  conditions: Conditions<Filter, Facts>,
  filter: Filter,
  facts: Facts,
): boolean {
  for (const field in filter) {
    const wanted = filter[field];
    if (wanted !== undefined && conditions[field]?.(wanted as NonNullable<typeof wanted>, facts) === false)
      return false;
  }
  return true;
}

/** Whether a search with this filter would find the alert. */
export function passesFilter(alert: Alert, filter: LastingFilter): boolean {
  return fulfils<LastingFilter, Alert>(CONDITIONS, filter, alert);
}
