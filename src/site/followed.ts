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
  /** What the bots follow of it; a text: why they do not. */
  readonly chat: readonly FollowedInChat[] | string;
  /** The query of the feed, from the `?` on; empty for all alerts. */
  readonly feed: string;
}

export interface FollowedInChat {
  /** Of the link, and of the command. */
  readonly label: string;
  /** Of a link to the bot on Telegram: at most 64 letters, digits, `_` and `-`. bots/shared/conversation/start.ts reads it. */
  readonly payload: string;
  /** What `/follow` takes. */
  readonly text: string;
}

export function followedFilter({
  before_id: _page,
  sort: _order,
  days: _days,
  ...query
}: ListQuery): Followed {
  const { resolved, ...lasting } = query;
  const words = pageFilterWords(lasting) ?? 'All alerts';
  return {
    words: resolved === undefined ? words : `${words}: new alerts, before they are settled`,
    chat: chatFilter(lasting),
    feed: feedQuery(listPath(lasting)),
  };
}

function chatFilter(query: ListQuery): Followed['chat'] {
  if (query.wallet !== undefined || query.market !== undefined)
    return 'The bots follow wallets and markets from their own pages.';
  const typed = typedFilter(fieldsOf(query));
  return typed === null
    ? `The bots accept only whole dollars put in and plain words of at most ${WORDS_LENGTH} characters, so they cannot follow this filter.`
    : [{ label: 'Follow these alerts', payload: `r_${filterLinkCode(typed.filter)}`, text: typed.text }];
}

export function followedWallet(address: string): Followed {
  return {
    words: 'New alerts while the wallet is new, its sales, and the results of its positions',
    chat: [walletInChat(address)],
    feed: feedQuery(walletPath(address)),
  };
}

export function followedMarketReport({
  newest,
  resolution,
}: Pick<MarketReport, 'newest' | 'resolution'>): Followed {
  return {
    words: 'New alerts, sales and the result',
    chat: resolution === null ? [marketInChat(newest)] : SETTLED,
    feed: feedOf(newest),
  };
}

/** The wallet of an alert and its market; of a cluster, and where the wallet is hidden, the market alone. */
export function followedAlert(alert: Alert, hidden: HiddenWallets): Followed {
  const { type, wallet, resolution } = alert;
  const isOfOneWallet = type !== 'cluster' && !hidden.has(wallet);
  const chat = [
    ...(isOfOneWallet ? [walletInChat(wallet)] : []),
    ...(resolution === null ? [marketInChat(alert)] : []),
  ];
  return {
    words: 'New alerts, sales and results',
    chat: chat.length === 0 ? SETTLED : chat,
    feed: feedOf(alert),
  };
}

const SETTLED = 'The market is settled: there is nothing left to follow.';

function walletInChat(address: string): FollowedInChat {
  return { label: 'Follow the wallet', payload: `w_${address}`, text: address };
}

/** By its slug, unless the bot would read that as something else. */
function marketInChat({ id, eventSlug }: Alert): FollowedInChat {
  const [first] = namedWords(eventSlug, []) ?? [];
  const isRead = first?.named.kind === 'market' && first.named.market === eventSlug.toLowerCase();
  return { label: 'Follow the market', payload: `m_${id}`, text: isRead ? eventSlug : `#${id}` };
}

/** The feed of an alert is that of its market. */
function feedOf({ eventSlug, marketId }: Alert): string {
  const market = marketPath(eventSlug) === null ? marketId : eventSlug;
  return feedQuery(`/markets/${encodeURIComponent(market)}`);
}
