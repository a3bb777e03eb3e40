import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import { textHash } from '../../../core/detection/fill-hash.ts';
import type { Logger } from '../../../core/logger.ts';
import type { DropReason, LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { BadRow } from '../../sources/bad-row.ts';
import { createDropReport } from '../../sources/drop-report.ts';
import { type RequestPurpose, UpstreamFault } from '../client/market-client.ts';
import { type ListedFill, numberEqualFills } from './equal-fills.ts';
import { tradeLine } from './trade-line.ts';
import { type ListedPage, type ListPage, NEWEST_PAGE, type PageCursor } from './trade-listing.ts';

/** A page, parsed. */
export interface TradePage extends Pick<ListedPage, 'ageMs' | 'asOf' | 'next'> {
  /** In the order of the list. */
  readonly fills: readonly ListedFill[];
}

/** Reads a page. Rejects with an `UpstreamFault`. */
export type ReadPage = (
  cursor: PageCursor,
  how: { purpose: RequestPurpose; signal: AbortSignal },
) => Promise<TradePage>;

interface TradePagesOptions {
  readonly listPage: ListPage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onDrop: (reason: DropReason, detail: string) => void;
  /** A page behind a cursor was read, as of that moment: a walk of many pages makes progress. */
  readonly onPage: (asOf: EpochMs) => void;
}

/** An answer with invalid rows may be complete the next time. */
const MOST_ATTEMPTS = 3;
const REMEMBERED_BAD_ROWS = 20_000;
/** A page with this many rows, none of them valid, is not a page of trades. */
const MANY_ROWS = 20;

interface Reading {
  readonly fills: readonly ListedFill[];
  readonly bad: readonly { readonly hash: string; readonly why: BadRow }[];
}

/** Invalid rows are dropped after three attempts. Each is counted once, however often it is listed. */
export function createTradePages({ listPage, clock, logger, onDrop, onPage }: TradePagesOptions): ReadPage {
  const report = createDropReport({ clock, logger, onDrop }, 'polymarket');
  const knownBad = new LRUCache<string, true>({ max: REMEMBERED_BAD_ROWS });

  function readRows(rows: readonly unknown[], isLast: boolean): Reading {
    const fills: ListedFill[] = [];
    const bad: Reading['bad'][number][] = [];
    for (const value of rows) {
      const live = tradeLine(value, clock.now());
      if (!('kind' in live)) {
        pushFill(fills, live);
        continue;
      }
      const hash = hashOf(value);
      const isKnown = knownBad.get(hash) === true;
      const lenient = isLast || isKnown ? tradeLine(value, clock.now(), { isLenient: true }) : live;
      if (!('kind' in lenient)) pushFill(fills, lenient);
      if (isKnown) continue;
      bad.push({ hash, why: live });
      if (!isLast) continue;
      knownBad.set(hash, true);
      if ('kind' in lenient) report(lenient, 0);
    }
    return { fills, bad };
  }

  return async (cursor, how) => {
    for (let attempt = 1; ; attempt++) {
      const page = await listPage(cursor, how);
      const { fills, bad } = readRows(page.rows, attempt === MOST_ATTEMPTS);
      if (bad.length > 0 && attempt < MOST_ATTEMPTS) continue;
      if (fills.length === 0 && page.rows.length >= MANY_ROWS)
        throw new UpstreamFault('page without a valid trade', { outcome: 'garbled', status: 200 });
      const { ageMs, asOf, next } = page;
      if (fills.length > 0 && cursor !== NEWEST_PAGE) onPage(asOf);
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
