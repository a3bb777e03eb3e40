import type { BetCounts } from '../../core/alerts/figures/figures.ts';
import { windowWords } from '../../core/alerts/figures/window-words.ts';
import { counted, timeSpan, utcMinute } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { FeedView } from '../../core/trades/coverage/coverage-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { followedFilter } from '../followed.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type ListQuery, listPath, orderOf, type WindowDays } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import {
  chosenFilters,
  filterSheet,
  ORDER_WORDS,
  orderTabs,
  pageFilterWords,
  WINDOW_WORDS,
  windowLinks,
} from '../parts/filters.ts';
import { followPanel } from '../parts/follow-panel.ts';
import type { RunningBot } from '../service-report.ts';
import { headlineOf } from './status-words.ts';

/** The window of the strongest bets. */
export interface StrongestWindow {
  readonly days: WindowDays;
  readonly end: EpochMs;
  /** The bets of the shortest window, if those were too few; else null. */
  readonly tooFew: number | null;
}

interface HomeModel {
  readonly query: ListQuery;
  readonly now: EpochMs;
  readonly listed: readonly ListedAlert[];
  /** Bets that match, from this page on. */
  readonly total: number;
  /** Of the strongest. */
  readonly window?: StrongestWindow;
  /** In how many milliseconds the markets end, by their ids, where that is the order. */
  readonly endsIn?: ReadonlyMap<string, number>;
  readonly olderThan: number | null;
  readonly bots: readonly RunningBot[];
  readonly betCounts: BetCounts;
  /** What the record says of settled bets; empty: it cannot be read at the moment. */
  readonly results: string;
  /** Of the live market; null for any other source. */
  readonly feed: FeedView | null;
}

const TITLE = 'Suspicious bets on Polymarket, followed to their result';
const ABOUT =
  'New wallets that bet large, keep buying, or buy the same outcome together. Each alert has its reasons and, once its ' +
  'market is settled, its result.';

export function homePage(model: HomeModel): Page {
  const { query } = model;
  const words = pageFilterWords(query);
  const title = titleOf(query);
  return {
    title: title ?? TITLE,
    description: ABOUT,
    path: listPath(query),
    isIndexed: orderOf(query) === 'strongest' && query.days === undefined && query.search === undefined,
    topics: [TOPICS.alerts, TOPICS.feed],
    body: html`<div class="stack home">
      ${feedLine(model)}
      ${words === null ? hero(model) : html`<h1 class="hidden">${title}</h1>`}
      ${listPart(model)}
    </div>`,
  };
}

/** What the page is, and how far it can be trusted: the record's own sentence. */
function hero({ results }: HomeModel): Html {
  return html`<div class="hero">
    <h1>${TITLE}</h1>
    <p class="muted small" id="verdict" data-live>
      ${results} <a href="/record">The record</a>
    </p>
  </div>`;
}

/** Whether the feed sees the market. A replay has its notice instead. */
function feedLine({ feed }: HomeModel): Html | null {
  if (feed === null) return null;
  const { text, tone } = headlineOf(feed, 'market');
  const { open } = feed;
  const since = open === null ? '' : ` (since ${utcMinute(open.startedAt)})`;
  const isWarning = tone === 'warn' || tone === 'wrong';
  return html`<p id="feed" class="small ${isWarning ? 'note warn' : 'muted'}" data-live>
    ${text}${since}. <a href="/status">Status</a>
  </p>`;
}

/** What the list is narrowed to and how it is ordered, in words; null for the first page. */
function titleOf(query: ListQuery): string | null {
  const order = orderOf(query);
  const isAsked = order !== orderOf({ ...query, sort: undefined });
  const { days } = query;
  const words = [
    pageFilterWords(query),
    isAsked ? ORDER_WORDS[order].toLowerCase() : null,
    order === 'strongest' && days !== undefined ? WINDOW_WORDS[days] : null,
    isFirst(query) ? null : 'older',
  ].filter((part) => part !== null);
  return words.length === 0 ? null : `Alerts: ${words.join(', ')}`;
}

/** Whether it is the first page, or the only one. */
function isFirst(query: ListQuery): boolean {
  return orderOf(query) !== 'newest' || query.before_id === undefined;
}

function listPart(model: HomeModel): Html {
  const { query, listed, window, betCounts, bots } = model;
  return html`<section class="stack" id="list" aria-labelledby="list-title">
    <div class="list-head">
      ${orderTabs(query)} ${filterSheet(query, betCounts)} ${followPanel(followedFilter(query), bots)}
    </div>
    ${chosenFilters(query)}
    <div class="list-of">
      <h2 id="list-title" data-live>${countOf(model)}</h2>
      ${window && windowLinks(query, window.days)}
    </div>
    <div id="alerts" data-live="list">
      ${alertList(
        listed.map((row) => alertRow(row, whenOf(row, model))),
        noneOf(model),
      )}
      ${pageLinks(model)}
    </div>
  </section>`;
}

function pageLinks({ query, olderThan }: HomeModel): Html {
  const newest = listPath({ ...query, sort: 'newest', before_id: undefined });
  return html`<p class="pages">
    ${isFirst(query) ? null : html`<a href="${newest}">Newest bets</a>`}
    ${olderThan === null ? null : html`<a href="${listPath({ ...query, before_id: olderThan })}" rel="next nofollow">Older bets</a>`}
  </p>`;
}

/**
 * Beside the windows: `22 of 171 bets`, `12 bets (4 in 24 h)`, `22 of 98 bets to 2022-11-12`; else `1,240 bets`, `812 older bets`,
 * `22 of 60 open bets`.
 */
function countOf({ query, listed, total, window, now }: HomeModel): string {
  const part = total > listed.length ? `${listed.length} of ` : '';
  if (orderOf(query) === 'ending')
    return total === 0 ? 'No open bet ends soon' : `${part}${counted(total, 'open bet')}`;
  if (window === undefined) return counted(total, isFirst(query) ? 'bet' : 'older bet');
  const { end, tooFew } = window;
  const bets = `${part}${counted(total, 'bet')}`;
  const few = tooFew !== null && tooFew < total ? ` (${tooFew} in ${WINDOW_WORDS[1]})` : '';
  return windowWords(bets, { until: end, now }, bets + few);
}

function whenOf({ alert }: ListedAlert, { endsIn }: HomeModel): { readonly when?: string } {
  const leftMs = endsIn?.get(alert.marketId);
  if (leftMs === undefined) return {};
  return { when: leftMs > 0 ? `ends in ${timeSpan(leftMs)}` : 'past its stated end' };
}

/** What is said instead of an empty list. */
function noneOf({ query, window }: HomeModel): Html | string {
  const all = html`<a href="${listPath({ ...query, sort: 'newest' })}" rel="nofollow">All bets</a>`;
  if (orderOf(query) === 'ending')
    return html`Those that are open are past the stated end of their market, or it states none. ${all}`;
  const isAll = pageFilterWords(query) === null;
  if (window === undefined) return isAll ? 'There are no bets yet.' : 'No bet matches.';
  return html`${isAll ? 'There are none in this window.' : 'No bet matches.'} ${all}`;
}
