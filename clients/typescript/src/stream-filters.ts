import type { Schemas } from './operations.ts';
import type { Patience } from './patience.ts';

type Alert = Schemas['Alert'];

/** The filters of the stream by their documented names, which are those of `GET /alerts`. All that are given must match. */
export interface StreamFilters {
  readonly category?: Alert['category'];
  /** Any of these. */
  readonly categories?: readonly Alert['category'][];
  readonly side?: Alert['side'];
  /** Trades larger than this USDC amount. */
  readonly min_usdc?: number;
  /** Bets that have put in at least this USDC amount, as of the alert. */
  readonly min_position?: number;
  /** At least this signal score, 0 to 100. */
  readonly min_signal?: number;
  readonly alert_type?: Alert['alert_type'];
  /** Part of the market question or slug, or an exact wallet address. */
  readonly search?: string;
  /** Address of the wallet that traded. */
  readonly wallet?: string;
  /** Market identifier or slug. */
  readonly market?: string;
}

/** The filters as a query. */
function queryOf({ categories, ...rest }: StreamFilters) {
  return { ...rest, categories: categories?.toString() };
}

interface Range {
  /** The id before the first. */
  readonly after: number;
  /** The last id. */
  readonly to: number;
  readonly filters: StreamFilters;
}

const PAGE_SIZE = 100;

/** One page of the archive, oldest first, up to `to`. `end`: the id after which the next page begins. */
export async function alertsBetween(
  patience: Patience,
  { after, to, filters }: Range,
): Promise<{ readonly alerts: readonly Alert[]; readonly end: number }> {
  const answer = await patience.getUntilAnswered('/api/v1/alerts', {
    ...queryOf(filters),
    ...{ since_id: after, before_id: to + 1, expand: 'details', page_size: PAGE_SIZE },
  });
  const { alerts, has_more: hasMore } = answer as { alerts: Alert[]; has_more: boolean };
  const last = alerts.at(-1);
  return { alerts, end: hasMore && last !== undefined ? last.id : to };
}
