import type { Alert } from '../../core/alerts/alert.ts';
import type { MarketReport, MarketThread } from '../../core/alerts/market-report.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, dollars, marketAddress, utcMinute } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { outcomeNamed } from '../../core/trades/trade.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html } from '../html.ts';
import type { MarketLine } from '../market-line.ts';
import type { Page } from '../page.ts';
import { alertList, alertRow, ordersOfClusters } from '../parts/alert-row.ts';
import { categoryWords, type HiddenWallets, outcomeName, titleOf, walletLink } from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import { tableOf } from '../parts/table.ts';
import { reportPagePath } from '../report-query.ts';
import type { ListedAlert } from './home.ts';

interface MarketPageParts {
  /** On whose outcome's scale the line is. */
  readonly main: Alert;
  /** Null if the market is not observed. */
  readonly observed: MarketLine | null;
  readonly rows: readonly ListedAlert[];
  readonly beforeId: number | undefined;
  /** The cursor of the next page of alerts; null on the last one. */
  readonly olderThan: number | null;
  readonly hidden: HiddenWallets;
}

/** The page of a market: its price, and who bought what. */
export function marketPage(report: MarketReport, parts: MarketPageParts): Page {
  const { newest, total } = report;
  const { beforeId, observed, hidden } = parts;
  const path = marketPath(newest.eventSlug) ?? '/';
  const title = titleOf(newest);
  const isFirst = beforeId === undefined;
  return {
    title,
    description: `${counted(total, 'alert')} on “${title}”: when new wallets bought, at which prices, and what became of it.`,
    path: reportPagePath(path, beforeId),
    isIndexed: isFirst,
    topics: isFirst ? [TOPICS.market(newest.marketId)] : [],
    scripts: isFirst ? ['chart.js'] : [],
    body: html`<div class="stack">
        <p class="muted small"><a href="/">Alerts</a> · Market · ${categoryWords(newest.category)}</p>
        <h1><bdi>${title}</bdi></h1>
        <p id="state" class="muted" data-live>${stateOf(report, observed)}</p>
        ${linkToMarket(newest)}
      </div>
      ${isFirst ? pricePart(report, parts) : null}
      <div class="columns">
        <section class="stack" aria-labelledby="list-title">${listPart(report, parts, path)}</section>
        <div class="parts" id="tables" data-live>
          ${outcomesTable(report)} ${threadsTable(report, hidden)} ${walletsTable(report, hidden)}
        </div>
      </div>`,
  };
}

function linkToMarket({ eventSlug }: Alert): Html {
  const address = marketAddress(eventSlug.toWellFormed());
  return html`<p><a href="${address}" rel="nofollow noopener">The market on Polymarket</a></p>`;
}

function stateOf({ total, resolution }: MarketReport, observed: MarketLine | null): Html {
  const ends = observed?.endsAt ?? null;
  const settledAt = resolution?.log?.at ?? null;
  return html`${counted(total, 'alert')} ·
  ${resolution === null ? 'not settled' : html`settled ${settledAt === null ? null : moment(settledAt)}`}
  ${ends === null || resolution !== null ? null : html` · ends ${moment(ends)}, as the market states`}`;
}

function moment(at: EpochMs): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${utcMinute(at)}</time>`;
}

function pricePart({ alerts, resolution }: MarketReport, { main, observed }: MarketPageParts): Html {
  return html`<section class="stack" id="price" aria-labelledby="price-title" data-live>
    <h2 id="price-title">The price, and its alerts</h2>
    ${
      observed === null
        ? html`<p class="muted">The prices of this market were not recorded.</p>`
        : priceChart({
            outcome: outcomeName(main.outcome),
            line: observed.line,
            marks: alerts
              .map((alert) => ({ ...observed.pointOf(alert), id: alert.id }))
              .toSorted((a, b) => a.at - b.at),
            settlement: settlementOf(main, observed, resolution),
          })
    }
  </section>`;
}

function settlementOf(
  { outcome, outcomeIndex }: Alert,
  { settledAt }: MarketLine,
  resolution: MarketReport['resolution'],
) {
  if (settledAt === null || resolution === null) return null;
  const byName = outcomeNamed(resolution.outcomes, outcome);
  const price = resolution.payouts[byName < 0 ? outcomeIndex : byName];
  return price === undefined ? null : { at: settledAt, price };
}

function listPart({ alerts }: MarketReport, parts: MarketPageParts, path: string): Html {
  const { rows, olderThan, beforeId } = parts;
  const orders = ordersOfClusters(alerts);
  const list = rows.map(({ alert, priceNow }) =>
    alertRow(alert, { priceNow, includes: orders.get(alert.id) ?? null, isOfMarket: true }),
  );
  const older = olderThan === null ? null : reportPagePath(path, olderThan);
  return html`<h2 id="list-title">Alerts</h2>
    <div id="alerts" data-live>${alertList(list)}
      <p class="pages">
        ${beforeId === undefined ? null : html`<a href="${path}">Newest alerts</a>`}
        ${older === null ? null : html`<a href="${older}" rel="next nofollow">Older alerts</a>`}
      </p>
    </div>`;
}

const OUTCOMES_SHOWN = 10;
const THREADS_SHOWN = 10;
const WALLETS_SHOWN = 10;

const number = (name: string) => ({ name, isNumber: true });

/** The outcomes with alerts, and what those of a settled market paid. */
function outcomesTable({ outcomes, resolution }: MarketReport): Html {
  const payout = (outcome: string) => {
    const paid = resolution?.payouts[outcomeNamed(resolution.outcomes, outcome)];
    return paid === undefined ? '–' : cents(paid);
  };
  const columns = [{ name: 'Outcome' }, ...['Paid', 'Alerts', 'Orders'].map(number)];
  const rows = outcomes
    .slice(0, OUTCOMES_SHOWN)
    .map(({ outcome, alerts, usdc }) => [
      html`<bdi>${outcomeName(outcome)}</bdi>`,
      ...[payout(outcome), `${alerts}`, dollars(usdc)],
    ]);
  return part('outcomes', 'Outcomes', tableOf({ name: 'Alerts by outcome', columns, rows }));
}

/** The newest positions: one wallet, or the clusters, on one outcome. */
function threadsTable({ threads }: MarketReport, hidden: HiddenWallets): Html {
  const columns = ['Who', 'What', 'Newest'].map((name) => ({ name }));
  const rows = threads.newest.slice(0, THREADS_SHOWN).map((thread) => threadRow(thread, hidden));
  const title = threads.total > rows.length ? `Positions: the newest of ${threads.total}` : 'Positions';
  return part('positions', title, tableOf({ name: 'Newest positions', columns, rows }));
}

function threadRow({ wallet, side, outcome, prices }: MarketThread, hidden: HiddenWallets) {
  const [newest] = prices;
  return [
    wallet === null ? 'New wallets together' : walletLink(wallet, hidden),
    html`${side === 'BUY' ? 'bought' : 'sold'} <bdi>${outcomeName(outcome)}</bdi>`,
    newest === undefined ? '–' : html`<a href="${alertPath(newest.id)}">alert ${newest.id}</a>`,
  ];
}

/** The wallets with the largest orders. */
function walletsTable({ wallets }: MarketReport, hidden: HiddenWallets): Html {
  const columns = [{ name: 'Wallet' }, ...['Alerts', 'Orders'].map(number)];
  const rows = wallets.largest
    .slice(0, WALLETS_SHOWN)
    .map(({ wallet, alerts, usdc }) => [
      walletLink(wallet, hidden),
      `${alerts}`,
      alerts === 0 ? 'in a cluster' : dollars(usdc),
    ]);
  const title = wallets.total > rows.length ? `Wallets: the largest of ${wallets.total}` : 'Wallets';
  return part('wallets', title, tableOf({ name: 'Largest wallets', columns, rows }));
}

function part(id: string, title: string, table: Html): Html {
  return html`<section class="stack" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${table}
  </section>`;
}
