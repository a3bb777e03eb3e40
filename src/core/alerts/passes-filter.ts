import type { Alert } from './alert.ts';
import type { AlertFilter } from './alert-store.ts';

/** The conditions that an alert fulfils from its publication on, or never. */
export type LastingFilter = Pick<
  AlertFilter,
  'categories' | 'side' | 'type' | 'minUsdc' | 'minScore' | 'search'
>;

/** Whether a search with this filter would find the alert. */
export function passesFilter(alert: Alert, filter: LastingFilter): boolean {
  const { categories, side, type, minUsdc, minScore, search } = filter;
  return (
    (categories?.includes(alert.category) ?? true) &&
    (side === undefined || alert.side === side) &&
    (type === undefined || alert.type === type) &&
    alert.usdc > (minUsdc ?? Number.NEGATIVE_INFINITY) &&
    alert.score >= (minScore ?? 0) &&
    (search === undefined || isFoundBy(alert, search.toLowerCase()))
  );
}

function isFoundBy({ eventTitle, eventSlug, wallet }: Alert, text: string): boolean {
  return eventTitle.toLowerCase().includes(text) || eventSlug.toLowerCase().includes(text) || wallet === text;
}
