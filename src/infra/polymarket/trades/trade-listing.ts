import { z } from 'zod';
import { HOUR_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { type MarketClient, type RequestPurpose, UpstreamFault } from '../client/market-client.ts';

/** How late a trade may be listed: up to an hour was seen, and a sweep over it takes its time. */
export const LISTED_LATE_MS = 2 * HOUR_MS;

/** The parameters that ask for a page, beside the filters. The same ones ask for the same page again. */
export type PageCursor = Readonly<Record<string, string | number>>;

/** What the walk so far tells about where it goes on. */
export interface WalkedSoFar {
  /** Whether the page had a row that this walk had not listed yet. */
  readonly isAnew: boolean;
  /** The oldest time this walk has listed. */
  readonly oldestAt: EpochMs | null;
}

/** Rows as they are listed: newest first, which is not to be trusted. */
export interface ListedPage {
  readonly rows: readonly unknown[];
  /** How long the page has been in a cache. */
  readonly ageMs: number;
  /** Where the page of older rows is; null at the end of the list. */
  next(walked: WalkedSoFar): PageCursor | null;
}

/** All trades of the market, maker and taker rows, a page at a time. */
export interface TradeListing {
  readonly first: PageCursor;
  ask(cursor: PageCursor, how: { purpose: RequestPurpose; signal: AbortSignal }): Promise<ListedPage>;
}

/** What both versions give at once. */
const LIMIT = 1_000;
/** More than the market gives on any page: what has more is none. */
const MOST_ROWS = 20_000;
/** The farthest offset of version 1 before it answers 400. */
const MOST_OFFSET = 10_000;

const rowList = z.array(z.unknown()).max(MOST_ROWS);
const envelope = z.object({
  data: rowList,
  pagination: z.object({ has_more: z.boolean().nullish(), next_cursor: z.string().nullish() }),
});

/** Version 2: a keyset walk, stable while rows are added. */
export function listingV2(client: Pick<MarketClient, 'get'>): TradeListing {
  // Amounts are filtered here: a high floor with few matches times out upstream.
  const filters = { limit: LIMIT, taker_only: false, filter_type: 'TOKENS', filter_amount: 0.01 };
  return {
    first: {},
    async ask(cursor, { purpose, signal }) {
      const query = { ...filters, ...cursor };
      const { body, ageMs } = await client.get({ api: 'data', path: '/v2/trades', query, purpose }, signal);
      const { success, data: page } = envelope.safeParse(body);
      if (!success) throw notAPage('/v2/trades');
      const { has_more: hasMore, next_cursor: next } = page.pagination;
      const isLast = hasMore === false || !next || next === cursor['cursor'];
      return { rows: page.data, ageMs, next: () => (isLast ? null : { cursor: next }) };
    },
  };
}

/**
 * Version 1: offsets, up to 10,000 rows back; older rows are asked for by the oldest time listed, each such window with
 * offsets of its own. Pages overlap by a tenth, so that a row added while walking pushes none past the walk.
 */
export function listingV1(client: Pick<MarketClient, 'get'>): TradeListing {
  return {
    first: { offset: 0 },
    async ask(cursor, { purpose, signal }) {
      const query = { limit: LIMIT, takerOnly: false, ...cursor };
      const { body, ageMs } = await client.get({ api: 'data', path: '/trades', query, purpose }, signal);
      const { success, data: rows } = rowList.safeParse(body);
      if (!success) throw notAPage('/trades');
      return { rows, ageMs, next: (walked) => nextOffset(cursor, rows.length, walked) };
    },
  };
}

function nextOffset(
  cursor: PageCursor,
  length: number,
  { isAnew, oldestAt }: WalkedSoFar,
): PageCursor | null {
  const offset = Number(cursor['offset']);
  const next = offset + Math.max(1, Math.floor(length * 0.9));
  // Past their real end offsets begin again with rows listed before.
  if (isAnew && next <= MOST_OFFSET) return { ...cursor, offset: next };
  if (offset === 0 || oldestAt === null) return null;
  const end = Math.floor(oldestAt / 1_000);
  // A second with more trades than a window holds: the walk goes on before it.
  return { offset: 0, end: end === cursor['end'] ? end - 1 : end };
}

function notAPage(path: string): UpstreamFault {
  return new UpstreamFault(`${path} answered no page`, { outcome: 'garbled', status: 200 });
}
