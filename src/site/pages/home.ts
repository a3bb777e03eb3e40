import type { AlertStats, HotMarket } from '../../core/alerts/alert-store.ts';
import { PREVIEW_DAYS } from '../../core/alerts/archive/figures.ts';
import { windowWords } from '../../core/alerts/archive/window-words.ts';
import { counted, dollars, utcMinute } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { FeedView } from '../../core/trades/coverage/coverage-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { followedFilter } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import type { PageDataset } from '../linked-data.ts';
import { type ListQuery, listPath } from '../list-query.ts';
import { alertDays } from '../parts/alert-days.ts';
import { alertList, alertPages, alertRow, type ListedAlert, marketLink } from '../parts/alert-row.ts';
import { filterBar, pageFilterWords, SORT_WORDS, sortLinks } from '../parts/filters.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import type { SiteDeps } from '../site.ts';
import { headlineOf } from './status-words.ts';

interface HomeModel {
  readonly query: ListQuery;
  readonly now: EpochMs;
  readonly listed: readonly ListedAlert[];
  /** Bets that match, from this page on. */
  readonly total: number;
  /** Whether more of an order match than are shown. */
  readonly isTop: boolean;
  readonly olderThan: number | null;
  readonly ways: FollowWays;
  readonly stats: AlertStats;
  readonly hotMarkets: readonly HotMarket[];
  /** Where the windows of the page end. */
  readonly until: EpochMs;
  /** What the record says of results, or that it is too early; null: it cannot be read at the moment. */
  readonly record: string | null;
  readonly feed: FeedView;
  readonly source: SiteDeps['source'];
}

const TITLE = 'prediction-market trades that look informed';
const ABOUT =
  'New wallets that bet large, keep buying, or buy the same outcome together. Each alert has its reasons and, once its ' +
  'market is settled, its result.';

export function homePage(model: HomeModel): Page {
  const { query, hotMarkets } = model;
  const words = pageFilterWords(query);
  const isFirst = isNewest(query);
  const title = titleOf(query);
  return {
    title: title ?? TITLE,
    description: ABOUT,
    path: listPath(query),
    isIndexed: isFirst && query.sort === undefined && query.search === undefined,
    topics: [TOPICS.alerts, TOPICS.feed],
    datasets: title === null && isFirst ? FEEDS : [],
    body: html`<div class="stack home">
      ${title === null && isFirst ? HERO : html`<h1 class="hidden">${title ?? 'Alerts'}</h1>`}
      ${figuresLine(model)}
      <div class="${hotMarkets.length > 0 && 'columns'} list">
        ${listPart(model, words !== null)} ${hotMarkets.length > 0 && section('hot', `Hot markets, ${windowOf('24 hours', model)}`, hotList(hotMarkets))}
      </div>
    </div>`,
  };
}

const FEEDS: readonly PageDataset[] = [
  {
    name: 'Alerts of Tipoff',
    description: `The newest alerts as feeds. ${ABOUT}`,
    path: '/',
    files: [
      ['/feed.xml', 'application/atom+xml'],
      ['/feed.json', 'application/feed+json'],
    ],
  },
];

const HERO = html`<div class="hero">
  <h1>Prediction-market trades that look informed</h1>
  <p><a href="/about">What an alert means</a></p>
</div>`;

/** The filter and the order in words; null for all alerts, the newest first. */
function titleOf(query: ListQuery): string | null {
  const words = pageFilterWords(query);
  const order = query.sort === undefined ? '' : `, ${SORT_WORDS[query.sort].toLowerCase()} first`;
  return words === null && order === '' ? null : `Alerts${words === null ? '' : `: ${words}`}${order}`;
}

/** Whether it is the first page, or the only one. */
function isNewest({ sort, before_id: beforeId }: ListQuery): boolean {
  return sort !== undefined || beforeId === undefined;
}

function listPart(model: HomeModel, isFiltered: boolean): Html {
  const { query, now, listed, olderThan } = model;
  const isFirst = isNewest(query);
  const none = isFiltered ? 'No alert matches.' : 'There are no alerts yet.';
  return html`<section class="stack" id="list" aria-labelledby="list-title">
    <div class="list-head">
      <h2 id="list-title" data-live>${countOf(model)}</h2>
      ${filterBar(query)} ${followPanel(followedFilter(query), model.ways)} ${sortLinks(query)}
    </div>
    ${alertPages(
      query.sort === undefined
        ? alertDays(listed, { now, none })
        : alertList(
            listed.map((row) => alertRow(row)),
            none,
          ),
      {
        newest: isFirst ? null : listPath({ ...query, before_id: undefined }),
        older: olderThan === null ? null : listPath({ ...query, before_id: olderThan }),
      },
    )}
  </section>`;
}

/** `1,240 bets`, `812 older bets`, `Top 22 of 171 bets in 30 days`. */
function countOf(model: HomeModel): string {
  const { query, listed, total, isTop } = model;
  if (query.sort === undefined) return counted(total, isNewest(query) ? 'bet' : 'older bet');
  const top = isTop ? `Top ${listed.length} of ` : '';
  return `${top}${counted(total, 'bet')} in ${windowOf(DAYS, model)}`;
}

const DAYS = `${PREVIEW_DAYS} days`;

/** All windows of the page end at the same moment, which is named where it is not now. */
function windowOf(length: string, { until, now }: HomeModel): string {
  return windowWords(`the ${length}`, { until, now }, length);
}

/** Of results it has only the record's own sentence. */
function figuresLine(model: HomeModel): Html {
  const { stats, record } = model;
  const today = html`<strong class="number">${stats.alertsToday.toLocaleString('en-US')}</strong>`;
  return html`<ul class="line">
    ${record && html`<li id="verdict" data-live>${record} <a href="/record">The record</a></li>`}
    <li id="today" data-live>Bets today ${today}</li>
    ${feedLine(model)}
  </ul>`;
}

function feedLine({ feed, source }: HomeModel): Html {
  const { text, tone } = headlineOf(feed, source);
  const { open } = feed;
  const since = open === null ? '' : ` since ${utcMinute(open.startedAt)}`;
  const isWarning = tone === 'warn' || tone === 'wrong';
  return html`<li id="feed" class="${isWarning ? 'note warn' : 'plain'}" data-live>
    ${text}${since}. <a href="/status">Status</a>
  </li>`;
}

function hotList(markets: readonly HotMarket[]): Html {
  const items = markets.map(
    (market) =>
      html`<li id="hot-${market.marketId}" data-live>
        <p>${marketLink(market)}</p>
        <p class="muted small">
          ${counted(market.alertCount, 'bet')} · ${dollars(market.totalUsdc)} · mean score
          ${Math.round(market.avgScore)}
        </p>
      </li>`,
  );
  return html`<ol class="hot" id="hot-markets" data-live="list">
    ${items}
  </ol>`;
}
