import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { textHash } from '../../../../core/detection/fill-hash.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { BlindCause, TimeRange } from '../../../../core/trades/coverage/blind-window.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { createDropReport } from '../../tapes/bad-row.ts';
import {
  type FeedTools,
  garbled,
  getAs,
  type MarketAnswer,
  type MarketClient,
  type RequestPurpose,
} from '../client/market-client.ts';
import { PAGE_ROWS } from './page-size.ts';
import { type ListedFill, numberEqualFills, tradeLine } from './trade-line.ts';

export interface TradePage extends Pick<ListedPage, 'ageMs' | 'asOf' | 'next'> {
  readonly fills: readonly ListedFill[];
}

interface ReadOptions {
  readonly purpose: RequestPurpose;
  readonly signal: AbortSignal;
}

export type ReadPage = (cursor: PageCursor, options: ReadOptions) => Promise<TradePage>;

type TradePagesOptions = Pick<TradePollOptions, 'client' | 'clock' | 'logger' | 'onDrop' | 'onPage'>;

/** An answer with invalid rows may be complete the next time. */
const MOST_ATTEMPTS = 3;
const REMEMBERED_BAD_ROWS = 20_000;
/** A page with this many rows, none of them valid, is not a page of trades. */
const MANY_ROWS = 20;

/** Invalid rows are dropped after three attempts, combos at once. Each is counted once, however often it is listed. */
export function createTradePages({ client, clock, logger, onDrop, onPage }: TradePagesOptions): ReadPage {
  const report = createDropReport({ clock, logger, onDrop }, 'polymarket');
  const knownBad = new LRUCache<string, true>({ max: REMEMBERED_BAD_ROWS });

  function readRows(rows: readonly unknown[], isLast: boolean) {
    const fills: ListedFill[] = [];
    let combos = 0;
    let isWhole = true;
    for (const value of rows) {
      const live = tradeLine(value, clock.now());
      if (!('kind' in live)) {
        pushFill(fills, live);
        continue;
      }
      const hash = hashOf(value);
      const isKnown = knownBad.get(hash) === true;
      if (live.reason === 'combo') {
        // Valid, but left out: it is no reason to read the page again, or to log.
        combos += 1;
        if (!isKnown) onDrop(live.reason);
        knownBad.set(hash, true);
        continue;
      }
      const lenient = isLast || isKnown ? tradeLine(value, clock.now(), { isLenient: true }) : live;
      if (!('kind' in lenient)) pushFill(fills, lenient);
      if (isKnown) continue;
      isWhole = false;
      if (!isLast) continue;
      knownBad.set(hash, true);
      if ('kind' in lenient) report(lenient, 0);
    }
    return { fills, isWhole, isOfTrades: fills.length + combos > 0 };
  }

  return async (cursor, options) => {
    for (let attempt = 1; ; attempt++) {
      const page = await listTrades(client, cursor, options);
      const { fills, isWhole, isOfTrades } = readRows(page.rows, attempt === MOST_ATTEMPTS);
      if (!isWhole && attempt < MOST_ATTEMPTS) continue;
      if (!isOfTrades && page.rows.length >= MANY_ROWS) throw garbled('page without a valid trade');
      const { ageMs, asOf, next } = page;
      if (fills.length > 0 && cursor.cursor !== undefined) onPage(asOf);
      return { fills: numberEqualFills(fills), ageMs, asOf, next };
    }
  };
}

function pushFill(fills: ListedFill[], live: LiveRow): void {
  if (live.row.kind === 'trade') fills.push({ live, trade: live.row.trade });
}

function hashOf(value: unknown): string {
  const { high, low } = textHash(JSON.stringify(value) ?? '');
  return `${high} ${low}`;
}

/**
 * How long after its second the market lists a trade: 6.5 s in the median, 10.8 s at most, of 5,725 trades measured against
 * the chain in September 2026. The list is rebuilt every 4 s.
 */
export const LIST_LAG_MS = 11 * SECOND_MS;
/** How late a trade may be listed in the worst case: an hour was seen, and a sweep over it takes some time. */
export const LISTED_LATE_MS = 2 * HOUR_MS;

/**
 * The query of a page beside the filters; without a cursor, of the newest. The same cursor always means the same page, of as
 * many rows as the one it came with: it is signed together with the limit.
 */
export interface PageCursor {
  readonly limit: number;
  /** Default: rows of makers too. */
  readonly taker_only?: true;
  readonly cursor?: string;
}

export const NEWEST_PAGE: PageCursor = { limit: PAGE_ROWS };

/** Rows as listed: newest first, which is not reliable. */
interface ListedPage extends Omit<MarketAnswer, 'body'> {
  readonly rows: readonly unknown[];
  readonly next: PageCursor | null;
}

/**
 * What the market would otherwise assume, stated: rows of makers too, of 0.01 shares and more. That is the lowest amount; a
 * high one with few matches times out upstream.
 */
export const TRADE_FILTERS = { taker_only: false, filter_type: 'TOKENS', filter_amount: 0.01 } as const;
const MOST_ROWS = 20_000;

const envelope = z.object({
  data: z.array(z.unknown()).max(MOST_ROWS),
  pagination: z.object({ has_more: z.boolean().nullish(), next_cursor: z.string().nullish() }),
});

/**
 * A page of all trades of the market, maker and taker rows, from Data API v2. Read by keyset: pages are stable while rows
 * are added. Rejects with an `UpstreamFault`.
 */
export async function listTrades(
  client: MarketClient,
  cursor: PageCursor,
  { purpose, signal }: ReadOptions,
): Promise<ListedPage> {
  const query = { ...TRADE_FILTERS, ...cursor };
  const request = { api: 'data', path: '/v2/trades', query, purpose } as const;
  const { data: page, ...answer } = await getAs(client, request, envelope, signal);
  const { has_more: hasMore, next_cursor: next } = page.pagination;
  const isLast = hasMore === false || !next || next === cursor.cursor;
  return { ...answer, rows: page.data, next: isLast ? null : { ...cursor, cursor: next } };
}

export interface TradePollOptions extends FeedTools {
  readonly metrics: Pick<Metrics, 'feedTrades'>;
  /** A page behind a cursor was read, as of that moment: a walk of many pages makes progress. */
  readonly onPage: (asOf: EpochMs) => void;
  /** A trade is on a page, for the first time or again. Older trades than the walk looks for are left out. */
  readonly onListed: (trade: Trade) => void;
  /** How far back the first round reaches; null at the very first start. Asked once the market's time is known. */
  readonly wantedFrom: EpochMs | null;
  readonly knows: (trade: Trade) => boolean;
  /** The list is read less often: it will show nothing that is not known. */
  readonly isNothingExpected: () => boolean;
  /** Resolves when something is expected again. Called again after that. */
  readonly wake: () => Promise<void>;
  /** Time of the first trade that a node showed after this moment and that should have been listed since; null: none. */
  readonly unlistedSince: (moment: EpochMs) => EpochMs | null;
  /** Takes rows, oldest first. Resolves when there is room for more. */
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  readonly fresh: (at: EpochMs) => void;
  readonly confirmed: (span: TimeRange) => void;
  /** `completeUntil`: what was confirmed after it was not complete. */
  readonly failed: (cause: BlindCause, completeUntil?: EpochMs) => void;
}

/** State of polling. `progress`: of a walk that catches up, 0 to 1; null otherwise. */
export interface TradePollStatus {
  readonly state: 'starting' | 'catching_up' | 'live';
  readonly progress: number | null;
  readonly newestTradeAt: EpochMs | null;
  readonly confirmedUntil: EpochMs | null;
}
