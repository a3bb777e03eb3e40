import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertStats, HotMarket } from '../../../core/alerts/alert-store.ts';
import { counted, dollars, utcMinute } from '../../../core/alerts/alert-words.ts';
import type { WindowPreview } from '../../../core/archive/figures.ts';
import type { FeedView } from '../../../core/feed-health/feed-health-report.ts';
import { FEWEST_MARKETS, ratesOf } from '../../../core/record/win-rates.ts';
import type { SiteDeps } from '../../server-deps.ts';
import { type Html, html } from '../html.ts';
import { type ListQuery, listPath } from '../list-query.ts';
import { type Page, TOPICS } from '../page.ts';
import { alertList, alertRow, marketLink, ordersOfClusters } from '../parts/alert-row.ts';
import { filterWords, listFilters } from '../parts/filters.ts';

/** An alert with the last known price of its outcome. */
export interface ListedAlert {
  readonly alert: Alert;
  readonly priceNow: number | null;
}

interface HomeModel {
  readonly query: ListQuery;
  readonly listed: readonly ListedAlert[];
  /** The cursor of the next page; null on the last one. */
  readonly olderThan: number | null;
  readonly stats: AlertStats;
  readonly preview: WindowPreview;
  readonly hotMarkets: readonly HotMarket[];
  readonly feed: FeedView;
  /** Where trades come from. */
  readonly source: SiteDeps['source'];
}

const TITLE = 'prediction-market trades that look informed';
const ABOUT =
  'New wallets that bet large, keep buying, or buy the same outcome together. Each alert has its reasons and, once its ' +
  'market is settled, its result.';

/** Today, and the newest alerts. */
export function homePage(model: HomeModel): Page {
  const { query } = model;
  const words = filterWords(query);
  const isFirst = query.before_id === undefined;
  return {
    title: words === null ? TITLE : `Alerts: ${words}`,
    description: ABOUT,
    path: listPath(query),
    isIndexed: isFirst && query.search === undefined,
    topics: isFirst ? [TOPICS.alerts] : [],
    body: html`<div class="stack">
        <h1>Prediction-market trades that look informed</h1>
        <p class="prose muted">${ABOUT} <a href="/about">What an alert means</a></p>
        ${todayFigures(model)} ${feedLine(model)}
      </div>
      <div class="columns list">
        <section class="stack" aria-labelledby="list-title">${alertsPart(model, words)}</section>
        <section class="stack" aria-labelledby="hot-title">${hotMarkets(model.hotMarkets)}</section>
      </div>`,
  };
}

function alertsPart({ query, listed, olderThan }: HomeModel, words: string | null): Html {
  const orders = ordersOfClusters(listed.map(({ alert }) => alert));
  const rows = listed.map(({ alert, priceNow }) =>
    alertRow(alert, { priceNow, includes: orders.get(alert.id) ?? null }),
  );
  const none = words === null ? 'There are no alerts yet.' : 'No alert matches.';
  const older = olderThan === null ? null : listPath({ ...query, before_id: olderThan });
  const newest = query.before_id === undefined ? null : listPath({ ...query, before_id: undefined });
  return html`<h2 id="list-title">${words === null ? 'Alerts' : `Alerts: ${words}`}</h2>
    ${listFilters(query)}
    <div id="alerts" data-live>${alertList(rows, none)}
      <p class="pages">
        ${newest === null ? null : html`<a href="${newest}">Newest alerts</a>`}
        ${older === null ? null : html`<a href="${older}" rel="next nofollow">Older alerts</a>`}
      </p>
    </div>`;
}

function todayFigures({ stats, preview }: HomeModel): Html {
  const { resolved, won } = preview;
  const settled =
    resolved === 0
      ? figure('Settled, of 30 days', 'None yet', 'Results come with the end of each market.')
      : figure(
          'Settled, of 30 days',
          resolved.toLocaleString('en-US'),
          `${won.toLocaleString('en-US')} were right, ${(resolved - won).toLocaleString('en-US')} wrong.`,
        );
  return html`<dl id="today" class="figures" data-live>
    ${figure('Alerts today', stats.alertsToday.toLocaleString('en-US'), `Since 00:00 UTC; ${stats.totalAlerts.toLocaleString('en-US')} in all.`)}
    ${figure('Clusters today', stats.clustersToday.toLocaleString('en-US'), 'New wallets that bought alike.')}
    ${settled} ${rightFigure(preview)}
  </dl>`;
}

/** The share that was right, beside what the prices said: alone it states nothing. */
function rightFigure(preview: WindowPreview): Html {
  const { winRate, averageEntry } = ratesOf(preview);
  if (winRate === null || averageEntry === null)
    return figure('Right', '–', 'Compared with the prices paid, once markets are settled.');
  const { resolved: markets } = preview.markets;
  const few = markets < FEWEST_MARKETS ? ` ${counted(markets, 'market')}: too few to say.` : '';
  return figure('Right', percent(winRate), `The prices paid said ${percent(averageEntry)}.${few}`);
}

function figure(name: string, value: string, note: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
    <dd>${note}</dd>
  </div>`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function feedLine({ feed: { state, blind }, source }: HomeModel): Html {
  const words =
    source === 'market'
      ? {
          live: 'The feed receives all trades.',
          catching_up: 'The feed receives all trades, and reads those of a gap.',
          unconfirmed: 'The feed receives trades, and cannot confirm that it receives all of them.',
          blind: `The feed receives no trades${blind === null ? '' : ` since ${utcMinute(blind.startedAt)}`}.`,
          unknown: 'The feed has received no trades yet.',
        }[state]
      : OTHER_SOURCES[source];
  const isWarning = source === 'market' && (state === 'blind' || state === 'unconfirmed');
  return html`<p id="feed" class="${isWarning ? 'note warn' : 'muted small'}" data-live>
    ${words} <a href="/status">Status</a>
  </p>`;
}

const OTHER_SOURCES = {
  tape: 'The trades are those of a recording: no market is observed.',
  none: 'This service receives no trades itself.',
} as const;

function hotMarkets(markets: readonly HotMarket[]): Html {
  const items = markets.map(
    (market) =>
      html`<li>
        <p>${marketLink(market)}</p>
        <p class="muted small">
          ${counted(market.alertCount, 'alert')} · ${dollars(market.totalUsdc)} · mean score
          ${Math.round(market.avgScore)}
        </p>
      </li>`,
  );
  const list =
    items.length === 0
      ? html`<p class="muted">No market has alerts of the last 24 hours.</p>`
      : html`<ol class="hot">
          ${items}
        </ol>`;
  return html`<h2 id="hot-title">Hot markets, 24 hours</h2>
    <div id="hot" data-live>${list}</div>`;
}
