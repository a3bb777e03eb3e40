import { z } from 'zod';
import { HOUR_MS, SECOND_MS } from '../../../core/duration.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type RequestPurpose,
  UpstreamFault,
} from '../client/market-client.ts';

/**
 * How long after its second the market lists a trade: 6.5 s in the median, 10.8 s at most, of 5,725 trades measured against
 * the chain in September 2026. The list is rebuilt every 4 s.
 */
export const LIST_LAG_MS = 11 * SECOND_MS;
/** How late a trade may be listed in the worst case: an hour was seen, and a sweep over it takes some time. */
export const LISTED_LATE_MS = 2 * HOUR_MS;

/** The query of a page beside the filters; without a cursor, of the newest. The same cursor always means the same page. */
export interface PageCursor {
  readonly cursor?: string;
}

export const NEWEST_PAGE: PageCursor = {};

/** Rows as listed: newest first, which is not reliable. */
export interface ListedPage extends Pick<MarketAnswer, 'ageMs' | 'asOf'> {
  readonly rows: readonly unknown[];
  /** Cursor of the page of older rows; null at the end of the list. */
  readonly next: PageCursor | null;
}

/** All trades of the market, maker and taker rows, a page at a time. Rejects with an `UpstreamFault`. */
export type ListPage = (
  cursor: PageCursor,
  how: { purpose: RequestPurpose; signal: AbortSignal },
) => Promise<ListedPage>;

const PATH = '/v2/trades';
/** The lowest amount: a high one with few matches times out upstream. The limit is the highest that the API allows. */
const FILTERS = { limit: 1_000, taker_only: false, filter_type: 'TOKENS', filter_amount: 0.01 } as const;
/** More rows than any page of the market has. */
const MOST_ROWS = 20_000;

const envelope = z.object({
  data: z.array(z.unknown()).max(MOST_ROWS),
  pagination: z.object({ has_more: z.boolean().nullish(), next_cursor: z.string().nullish() }),
});

/** The list of Data API v2, read by keyset: pages are stable while rows are added. */
export function createTradeListing(client: Pick<MarketClient, 'get'>): ListPage {
  return async (cursor, { purpose, signal }) => {
    const query = { ...FILTERS, ...cursor };
    const { body, ageMs, asOf } = await client.get({ api: 'data', path: PATH, query, purpose }, signal);
    const { success, data: page } = envelope.safeParse(body);
    if (!success)
      throw new UpstreamFault(`${PATH}: not a page of trades`, { outcome: 'garbled', status: 200 });
    const { has_more: hasMore, next_cursor: next } = page.pagination;
    const isLast = hasMore === false || !next || next === cursor.cursor;
    return { rows: page.data, ageMs, asOf, next: isLast ? null : { cursor: next } };
  };
}
