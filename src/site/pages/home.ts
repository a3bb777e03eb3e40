import type { AlertStats, HotMarket } from '../../core/alerts/alert-store.ts';
import type { WindowPreview } from '../../core/alerts/archive/figures.ts';
import { FIGURES_FROM_MARKETS } from '../../core/alerts/wallet-report.ts';
import { counted, dollars, utcMinute } from '../../core/base/text/formats.ts';
import { ratesOf } from '../../core/record/win-rates.ts';
import type { FeedView } from '../../core/trades/coverage/coverage-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type ListQuery, listPath } from '../list-query.ts';
import {
  alertList,
  alertPages,
  alertRow,
  type ListedAlert,
  marketLink,
  ordersOfClusters,
} from '../parts/alert-row.ts';
import { conclusionLine, figureTiles, type Tile } from '../parts/figures.ts';
import { listFilters, pageFilterWords } from '../parts/filters.ts';
import type { SiteDeps } from '../site.ts';
import { headlineOf } from './status-words.ts';

interface HomeModel {
  readonly query: ListQuery;
  readonly listed: readonly ListedAlert[];
  readonly olderThan: number | null;
  readonly stats: AlertStats;
  readonly preview: WindowPreview;
  readonly hotMarkets: readonly HotMarket[];
  readonly conclusion: string | null;
  readonly feed: FeedView;
  readonly source: SiteDeps['source'];
}

const TITLE = 'prediction-market trades that look informed';
const ABOUT =
  'New wallets that bet large, keep buying, or buy the same outcome together. Each alert has its reasons and, once its ' +
  'market is settled, its result.';

export function homePage(model: HomeModel): Page {
  const { query } = model;
  const words = pageFilterWords(query);
  const isFirst = query.before_id === undefined;
  return {
    title: words === null ? TITLE : `Alerts: ${words}`,
    description: ABOUT,
    path: listPath(query),
    isIndexed: isFirst && query.search === undefined,
    topics: isFirst ? [TOPICS.alerts, TOPICS.feed] : [],
    body: html`<div class="stack">
        <h1>Prediction-market trades that look informed</h1>
        <p class="prose muted">${ABOUT} <a href="/about">What an alert means</a></p>
        ${todayFigures(model)} ${feedLine(model)}
      </div>
      <div class="columns list">
        ${section('list', words === null ? 'Alerts' : `Alerts: ${words}`, alertsPart(model, words !== null))}
        ${section('hot', 'Hot markets, 24 hours', hotMarkets(model.hotMarkets), 'live')}
      </div>`,
  };
}

function alertsPart({ query, listed, olderThan }: HomeModel, isFiltered: boolean): Html {
  const orders = ordersOfClusters(listed.map(({ alert }) => alert));
  const rows = listed.map((row) => alertRow(row, { includes: orders.get(row.alert.id) }));
  const list = alertList(rows, isFiltered ? 'No alert matches.' : 'There are no alerts yet.');
  return html`${listFilters(query)}
    ${alertPages(list, {
      newest: query.before_id === undefined ? null : listPath({ ...query, before_id: undefined }),
      older: olderThan === null ? null : listPath({ ...query, before_id: olderThan }),
    })}`;
}

function todayFigures({ stats, preview, conclusion }: HomeModel): Html {
  return html`<div id="today" class="stack" data-live>
    ${figureTiles([
      {
        name: 'Alerts today',
        value: stats.alertsToday,
        note: `Since 00:00 UTC; ${stats.totalAlerts.toLocaleString('en-US')} in all.`,
      },
      {
        name: 'Clusters today',
        value: stats.clustersToday,
        note: 'New wallets that bought alike.',
      },
      settledFigure(preview),
      rightFigure(preview),
    ])}
    ${conclusionLine(conclusion)}
  </div>`;
}

function settledFigure({ resolved, won }: WindowPreview): Tile {
  const name = 'Settled, of 30 days';
  if (resolved === 0) return { name, value: 'None yet', note: 'Results come with the end of each market.' };
  const [right, wrong] = [won, resolved - won].map((count) => count.toLocaleString('en-US'));
  return { name, value: resolved, note: `${right} were right, ${wrong} wrong.` };
}

/** The share that was right, beside what the prices said: alone it states nothing. */
function rightFigure(preview: WindowPreview): Tile {
  const name = 'Right';
  const { winRate, averageEntry } = ratesOf(preview);
  if (winRate === null || averageEntry === null)
    return { name, value: '–', note: 'Compared with the prices paid, once markets are settled.' };
  const { resolved: markets } = preview.markets;
  const few = markets < FIGURES_FROM_MARKETS ? ` ${counted(markets, 'market')}: too few to say.` : '';
  return { name, value: percent(winRate), note: `The prices paid said ${percent(averageEntry)}.${few}` };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function feedLine({ feed, source }: HomeModel): Html {
  const { text, tone } = headlineOf(feed, source);
  const { open } = feed;
  const since = open === null ? '' : ` since ${utcMinute(open.startedAt)}`;
  const isWarning = tone === 'warn' || tone === 'wrong';
  return html`<p id="feed" class="${isWarning ? 'note warn' : 'muted small'}" data-live>
    ${text}${since}. <a href="/status">Status</a>
  </p>`;
}

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
  if (items.length === 0) return html`<p class="muted">No market has alerts of the last 24 hours.</p>`;
  return html`<ol class="hot">
    ${items}
  </ol>`;
}
