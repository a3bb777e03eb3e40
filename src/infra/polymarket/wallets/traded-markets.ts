import { z } from 'zod';
import type { EpochMs } from '../../../core/trade.ts';
import { conditionIdOf } from '../../sources/condition-id.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { upstreamTime } from '../upstream-time.ts';
import { type Asking, askFor, askIfKnown } from './ask.ts';

const PAGE = 1_000;
const MOST_PAGES = 5;
const MOST_ASKS = 3;
/** More markets than any rule looks at: then their exact number does not matter. */
const ENOUGH_MARKETS = 30;
/** The lowest the market filters by: all trades. */
const LEAST_SHARES = 0.01;

const page = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ has_more: z.boolean().nullish(), next_cursor: z.string().nullish() }).nullish(),
});
const row = z.object({
  proxy_wallet: z.string().nullish(),
  condition_id: z.string().min(1),
  timestamp: z.unknown(),
});
const stats = z.object({ data: z.object({ trades: z.int().min(0) }).nullable() });

/** What a wallet did before a moment. */
export interface Traded {
  readonly markets: number;
  /** The oldest trade that was met; null without any. */
  readonly oldestAt: EpochMs | null;
}

/** Distinct markets the wallet traded before the moment; null when its trades are too many to be counted. */
export async function tradedMarkets(asking: Asking): Promise<Traded | null> {
  const markets = new Set<string>();
  let oldestAt: EpochMs | null = null;
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { rows, isLast, next } = await tradesPage(asking, cursor);
    for (const { marketId, at } of rows) {
      // `end` may count the moment itself, or not be heeded.
      if (at !== null && at >= asking.before) continue;
      markets.add(marketId);
      if (at !== null && (oldestAt === null || at < oldestAt)) oldestAt = at;
    }
    if (isLast || markets.size > ENOUGH_MARKETS) return { markets: markets.size, oldestAt };
    if (next === null) break;
    cursor = next;
  }
  const all = await marketsOfAllTime(asking);
  return all === null ? null : { markets: Math.max(all, markets.size), oldestAt };
}

interface TradesPage {
  readonly rows: readonly { readonly marketId: string; readonly at: EpochMs | null }[];
  /** Whether each row could be read. */
  readonly isWhole: boolean;
  readonly isLast: boolean;
  readonly next: string | null;
}

/** A page with rows that cannot be read is asked for again: an answer may be complete the next time. */
async function tradesPage(asking: Asking, cursor: string | null): Promise<TradesPage> {
  let page = await readPage(asking, cursor);
  for (let again = 1; again < MOST_ASKS && !page.isWhole; again += 1) page = await readPage(asking, cursor);
  return page;
}

async function readPage(asking: Asking, cursor: string | null): Promise<TradesPage> {
  const query = {
    user: asking.wallet,
    end: Math.ceil(asking.before / 1_000) - 1,
    limit: PAGE,
    taker_only: false,
    filter_amount: LEAST_SHARES,
    ...(cursor === null ? {} : { cursor }),
  };
  const { data, pagination } = await askFor(asking, { api: 'data', path: '/v2/trades', query }, page);
  const rows = data.map(readRow).filter(({ wallet }) => wallet === null || wallet === asking.wallet);
  if (rows.length > 0 && rows.every(({ isReadable }) => !isReadable))
    throw new UpstreamFault('/v2/trades answered no row that can be read', {
      outcome: 'garbled',
      status: 200,
    });
  const next = pagination?.next_cursor || null;
  return {
    rows,
    isWhole: rows.every(({ at }) => at !== null),
    isLast: pagination?.has_more === false || (pagination?.has_more !== true && next === null),
    next,
  };
}

/** A row without its market stands for a market of its own: what cannot be read makes no wallet fresher. */
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

/** As of now, so rather too many: a wallet never seems fresher by it. */
async function marketsOfAllTime(asking: Asking): Promise<number | null> {
  const query = { user: asking.wallet };
  const answer = await askIfKnown(asking, { api: 'data', path: '/v2/user-stats', query }, stats);
  return answer?.data?.trades ?? null;
}
