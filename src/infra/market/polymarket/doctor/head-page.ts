import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { isConditionId } from '../../tapes/text-fields.ts';
import { garbled, type MarketClient } from '../client/market-client.ts';
import { tradeLine } from '../trades/trade-line.ts';
import { listTrades, type PageCursor } from '../trades/trade-pages.ts';

/** Number of wallets and markets in a sample. */
const SAMPLE = 20;

/** A page of the list of trades. */
export interface HeadPage {
  readonly trades: readonly Trade[];
  readonly keys: ReadonlySet<string>;
  /** The moment whose state it shows, in the market's time. */
  readonly asOf: EpochMs;
  readonly ageMs: number;
  /** The CDN's `X-Cache`, for example `Miss from cloudfront`; null without one. */
  readonly cache: string | null;
  /** Cursor of the page of older trades; null at the end of the list. */
  readonly next: PageCursor | null;
}

export const EMPTY_PAGE: HeadPage = {
  trades: [],
  keys: new Set(),
  asOf: 0,
  ageMs: 0,
  cache: null,
  next: null,
};

/** Reads a page as polling does. Rejects with an `UpstreamFault`, also for a page without a valid trade. */
export async function readPage(
  { client, clock }: { readonly client: Pick<MarketClient, 'get'>; readonly clock: Pick<Clock, 'now'> },
  cursor: PageCursor,
  signal: AbortSignal,
): Promise<HeadPage> {
  const listed = await listTrades(client, cursor, { purpose: 'doctor', signal });
  const { rows, asOf, ageMs, cache = null, next } = listed;
  const trades = rows.flatMap((value) => {
    const live = tradeLine(value, clock.now(), { isLenient: true });
    return 'line' in live && live.row.kind === 'trade' ? [live.row.trade] : [];
  });
  if (trades.length === 0) throw garbled(`/v2/trades answered ${rows.length} rows without a valid trade`);
  return { trades, keys: new Set(trades.map(fillKey)), asOf, ageMs, cache, next };
}

export function newestAt({ trades }: HeadPage): EpochMs {
  return trades.reduce((newest, { at }) => Math.max(newest, at), 0);
}

/** Distinct wallets, markets and tokens of the page, newest first. */
export function sampleOf(page: HeadPage) {
  const firstOf = (keyOf: (trade: Trade) => string) => {
    const first = new Map<string, Trade>();
    for (const trade of page.trades) if (!first.has(keyOf(trade))) first.set(keyOf(trade), trade);
    return [...first.values()].slice(0, SAMPLE);
  };
  const ids = firstOf(({ marketId }) => marketId).map(({ marketId }) => marketId);
  return {
    wallets: firstOf(({ wallet }) => wallet),
    marketIds: ids.filter(isConditionId),
    tokens: firstOf(({ asset }) => asset).map(({ asset }) => asset),
  };
}
