import type { Alert } from '../core/alerts/alert.ts';
import type { MarketReport } from '../core/alerts/market-report.ts';
import { marketPath, walletPath } from '../core/alerts/site-paths.ts';
import { filterLinkCode } from '../core/follow/filter-code.ts';
import { typedFilter, WORDS_LENGTH } from '../core/follow/filter-text.ts';
import { namedWords } from '../core/follow/followed-text.ts';
import { fieldsOf } from '../http/query/alert-query.ts';
import { feedQuery } from './feed-links.ts';
import { type ListQuery, listPath } from './list-query.ts';
import { pageFilterWords } from './parts/filters.ts';
import type { HiddenWallets } from './parts/labels.ts';

/** What a page offers to follow. */
export interface Followed {
  /** What is heard of it. */
  readonly words: string;
  /** A text: why the bots do not follow it. */
  readonly chat: FollowedInChat | string;
  /** Queries, from the `?` on; empty for all alerts. */
  readonly feed: string;
  readonly list: string;
}

interface FollowedInChat {
  /** Of a link to the bot on Telegram: at most 64 letters, digits, `_` and `-`. bots/shared/conversation/start.ts reads it. */
  readonly payload: string;
  /** What `/follow` takes. */
  readonly text: string;
}

export function followedFilter({ before_id: _page, sort: _order, days: _days, ...query }: ListQuery): Followed {
  const { resolved, ...lasting } = query;
  const words = pageFilterWords(lasting) ?? 'All alerts';
  return {
    words: resolved === undefined ? words : `${words}: new alerts, before they are settled`,
    chat: chatFilter(lasting),
    feed: feedQuery(listPath(lasting)),
    list: listPath(query).slice(1),
  };
}

function chatFilter(query: ListQuery): FollowedInChat | string {
  if (query.wallet !== undefined || query.market !== undefined)
    return 'The bots follow wallets and markets from their own pages.';
  const typed = typedFilter(fieldsOf(query));
  return typed === null
    ? `The bots accept only whole dollars put in and plain words of at most ${WORDS_LENGTH} characters, so they cannot follow this filter.`
    : { payload: `r_${filterLinkCode(typed.filter)}`, text: typed.text };
}

export function followedWallet(address: string): Followed {
  return {
    words: 'New alerts while the wallet is new, its sales, and the results of its positions',
    chat: { payload: `w_${address}`, text: address },
    feed: feedQuery(walletPath(address)),
    list: `?${new URLSearchParams({ wallet: address })}`,
  };
}

export function followedMarketReport({
  newest,
  resolution,
}: Pick<MarketReport, 'newest' | 'resolution'>): Followed {
  const { id, eventSlug } = newest;
  const [first] = namedWords(eventSlug, []) ?? [];
  const isRead = first?.named.kind === 'market' && first.named.market === eventSlug.toLowerCase();
  const text = isRead ? eventSlug : `#${id}`;
  return {
    ...ofMarket(newest),
    words: 'New alerts, sales and the result',
    chat:
      resolution === null
        ? { payload: `m_${id}`, text }
        : 'The market is settled: there is nothing left to follow.',
  };
}

/** The wallet of an alert or its market; of a cluster, and where the wallet is hidden, the market alone. */
export function followedAlert(alert: Alert, hidden: HiddenWallets): Followed {
  const { id, type, wallet } = alert;
  const isMarket = type === 'cluster' || hidden.has(wallet);
  return {
    ...ofMarket(alert),
    words: isMarket ? 'Its market' : 'Its wallet or its market',
    chat: { payload: `f_${id}`, text: `#${id}` },
  };
}

/** Its feed has the feed of its market. */
function ofMarket({ eventSlug, marketId }: Alert): Pick<Followed, 'feed' | 'list'> {
  const isNamed = marketPath(eventSlug) !== null;
  const market = isNamed ? eventSlug : marketId;
  return {
    feed: feedQuery(`/markets/${encodeURIComponent(market)}`),
    list: `?${new URLSearchParams({ market })}`,
  };
}
