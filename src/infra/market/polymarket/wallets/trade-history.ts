import { z } from 'zod';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { BLIND_AFTER_MS } from '../../../../core/trades/coverage/coverage-record.ts';
import { conditionIdOf } from '../../tapes/text-fields.ts';
import {
  garbled,
  getAs,
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';
import { upstreamTime } from '../client/upstream-time.ts';
import { LIST_LAG_MS, TRADE_FILTERS } from '../trades/trade-pages.ts';

const PATH = '/v2/trades';
const PAGE = 1_000;
export const PAGES_MAX = 5;
const ASKS_MAX = 3;
/** More markets than any rule considers: the exact number does not matter. */
const ENOUGH_MARKETS = 30;
/** Without `start` the API lists the last three years. */
const FULL_HISTORY = 1;

const page = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ has_more: z.boolean().nullish(), next_cursor: z.string().nullish() }).nullish(),
});
const row = z.object({
  proxy_wallet: z.string().nullish(),
  condition_id: z.string().min(1),
  timestamp: z.unknown(),
});

interface TradesPage extends Pick<MarketAnswer, 'asOf'> {
  readonly rows: readonly { readonly marketId: string; readonly at: EpochMs | null }[];
  readonly isWhole: boolean;
  readonly isLast: boolean;
  readonly next: string | null;
}

/** Trades of a wallet before a moment, read page by page, newest first, each page once. */
export class TradeHistory {
  readonly #asking: Asking;
  readonly #markets = new Set<string>();
  #oldestAt: EpochMs | null = null;
  #pages = 0;
  #cursor: string | null = null;
  #isAtEnd = false;
  #isListed = false;
  #isWhole = true;
  #showsUntil = Number.POSITIVE_INFINITY;
  /** Whether the pages contain the trade in question or a later one: then they contain all trades before it. */
  #showsTrade = false;
  #fault: unknown = null;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  get oldestAt(): EpochMs | null {
    return this.#oldestAt;
  }

  /**
   * Time of the wallet's first trade, which may be the one in question; null when `pagesMax` pages do not contain it. A list
   * without any trade of the wallet proves nothing: it may not contain the trade yet. Rejects as `/v2/trades` does.
   */
  async firstTrade(pagesMax: number): Promise<EpochMs | null> {
    while (this.#pages < pagesMax && (await this.#readOn()));
    const isProven = this.#isAtEnd && this.#isListed && this.#isWhole;
    return isProven ? (this.#oldestAt ?? this.#asking.before) : null;
  }

  /**
   * Number of distinct markets before the moment; null when there are too many trades to count them. Rejects as `/v2/trades`
   * does, and when the list is behind the moment: the missing trades may be those that make the wallet not fresh.
   * `listedUntil`: time of the newest trade on the list of all trades; null when unknown.
   */
  async markets(listedUntil: EpochMs | null): Promise<number | null> {
    while (this.#pages < PAGES_MAX && this.#markets.size <= ENOUGH_MARKETS && (await this.#readOn()));
    if (this.#markets.size > ENOUGH_MARKETS) return this.#markets.size;
    if (!this.#isAtEnd) return null;
    const showsUntil = Math.min(this.#showsUntil, listedUntil ?? Number.NEGATIVE_INFINITY);
    if (!this.#showsTrade && showsUntil < this.#asking.before - BEHIND_MAX_MS) throw behindFault(PATH);
    return this.#markets.size;
  }

  get marketsMet(): number {
    return this.#markets.size;
  }

  /** False at the end. A fault is kept and thrown again for the same question. */
  async #readOn(): Promise<boolean> {
    if (this.#fault !== null) throw this.#fault;
    if (this.#isAtEnd || (this.#pages > 0 && this.#cursor === null)) return false;
    try {
      this.#take(await this.#wholePage());
    } catch (error) {
      this.#fault = error;
      throw error;
    }
    return true;
  }

  #take({ rows, isWhole, isLast, next, asOf }: TradesPage): void {
    this.#showsUntil = Math.min(this.#showsUntil, asOf);
    for (const { marketId, at } of rows) {
      this.#isListed = true;
      if (at !== null && at >= this.#asking.before) {
        this.#showsTrade = true;
        continue;
      }
      this.#markets.add(marketId);
      if (at !== null) this.#oldestAt = Math.min(this.#oldestAt ?? at, at);
    }
    this.#isWhole &&= isWhole;
    this.#isAtEnd = isLast;
    this.#cursor = next;
    this.#pages += 1;
  }

  /** A page with invalid rows is read again: the next answer may be complete. */
  async #wholePage(): Promise<TradesPage> {
    let read = await this.#page();
    for (let asks = 1; asks < ASKS_MAX && !read.isWhole; asks += 1) read = await this.#page();
    return read;
  }

  async #page(): Promise<TradesPage> {
    const { wallet, before } = this.#asking;
    const query = {
      ...historyQuery(wallet, before, PAGE),
      ...(this.#cursor !== null && { cursor: this.#cursor }),
    };
    const { data, asOf } = await ask(this.#asking, { api: 'data', path: PATH, query }, page);
    return { ...pageOf(data, wallet), asOf };
  }
}

/** The newest page of the wallet's trades up to `until`, all parameters stated. */
function historyQuery(wallet: string, until: EpochMs, limit: number) {
  return { user: wallet, start: FULL_HISTORY, end: Math.ceil(until / SECOND_MS), limit, ...TRADE_FILTERS };
}

function pageOf({ data, pagination }: z.infer<typeof page>, wallet: string): Omit<TradesPage, 'asOf'> {
  const rows = data.map(readRow).filter((read) => read.wallet === null || read.wallet === wallet);
  if (rows.length > 0 && rows.every(({ isReadable }) => !isReadable)) throw garbled(`${PATH}: no valid row`);
  const next = pagination?.next_cursor || null;
  return {
    rows,
    isWhole: rows.every(({ at }) => at !== null),
    isLast: pagination?.has_more === false || (pagination?.has_more !== true && next === null),
    next,
  };
}

/** An invalid row counts as a market of its own, so that it never makes a wallet look fresher. */
function readRow(value: unknown, index: number) {
  const { data } = row.safeParse(value);
  if (data === undefined)
    return { isReadable: false, marketId: `unreadable ${index}`, at: null, wallet: null };
  const { proxy_wallet: wallet, condition_id: marketId, timestamp } = data;
  return {
    isReadable: true,
    marketId: conditionIdOf(marketId),
    at: upstreamTime(timestamp),
    wallet: wallet?.toLowerCase() ?? null,
  };
}

export interface Asking {
  readonly client: MarketClient;
  readonly wallet: string;
  readonly before: EpochMs;
  readonly signal: AbortSignal;
}

/**
 * How far behind the trade an answer may be that may lack the trade itself: the list's lag and an outage that is not reported
 * yet. The feed has seen what the wallet traded in that time.
 */
export const BEHIND_MAX_MS = LIST_LAG_MS + BLIND_AFTER_MS;

export function ask<Schema extends z.ZodType>(
  { client, signal }: Asking,
  request: Omit<MarketRequest, 'purpose' | 'shape'>,
  shape: Schema,
) {
  return getAs(client, { ...request, purpose: 'facts' }, shape, signal);
}

/** A failure, not a refusal: a later answer will have what this one lacks. */
export function behindFault(path: string): UpstreamFault {
  const message = `${path} answered with what is older than the trade`;
  return new UpstreamFault(message, { outcome: 'refused', status: 503 });
}
