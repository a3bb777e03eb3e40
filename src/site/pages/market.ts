import type { Alert } from '../../core/alerts/alert.ts';
import type { MarketReport, MarketThread } from '../../core/alerts/market-report.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, dollars, marketAddress } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { outcomeNamed } from '../../core/trades/trade.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { chartOf, type MarketLine } from '../alert-prices.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type ReportPageQuery, reportPath } from '../list-query.ts';
import { alertDays } from '../parts/alert-days.ts';
import { alertPages, type ListedAlert } from '../parts/alert-row.ts';
import {
  categoryWords,
  type HiddenWallets,
  outcomeName,
  titleOf,
  utcTag,
  walletLink,
} from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import { numberColumn, tableOf } from '../parts/table.ts';

interface MarketPageParts {
  readonly now: EpochMs;
  readonly observed: MarketLine | null;
  readonly rows: readonly ListedAlert[];
  readonly query: ReportPageQuery;
  readonly olderThan: number | null;
  readonly hidden: HiddenWallets;
}

export function marketPage(report: MarketReport, parts: MarketPageParts): Page {
  const { newest, total } = report;
  const { query, observed, hidden } = parts;
  const path = marketPath(newest.eventSlug) ?? '/';
  const title = titleOf(newest);
  const isFirst = query.before_id === undefined;
  return {
    title,
    description: `${counted(total, 'alert')} on “${title}”: when new wallets bought, at which prices, and what became of it.`,
    path: reportPath(path, query),
    isIndexed: isFirst,
    topics: isFirst ? [TOPICS.market(newest.marketId)] : [],
    scripts: isFirst ? ['chart.js'] : [],
    body: html`<div class="stack">
        <p class="muted small"><a href="/">Alerts</a> · Market · ${categoryWords(newest.category)}</p>
        <h1><bdi>${title}</bdi></h1>
        <p id="state" class="muted" data-live>${stateOf(report, observed)}</p>
        <p>
          <a href="${marketAddress(newest.eventSlug.toWellFormed())}" rel="nofollow noopener">The market on Polymarket</a>
        </p>
      </div>
      ${isFirst ? section('price', 'The price, and its alerts', pricesOf(report, parts), 'live') : null}
      <div class="columns">
        ${section('list', 'Alerts', listPart(parts, path))}
        <div class="parts" id="tables" data-live>
          ${outcomesTable(report)} ${threadsTable(report, hidden)} ${walletsTable(report, hidden)}
        </div>
      </div>`,
  };
}

function stateOf({ total, resolution }: MarketReport, observed: MarketLine | null): Html {
  const ends = observed?.endsAt ?? null;
  return html`${counted(total, 'alert')} ·
  ${resolution === null ? 'not settled' : html`settled ${utcTag(resolution.log.at)}`}
  ${ends === null || resolution !== null ? null : html` · ends ${utcTag(ends)}, as the market states`}`;
}

/** A chart for each outcome that was bought. */
function pricesOf(report: MarketReport, { rows, observed }: MarketPageParts): readonly Html[] | Html {
  if (observed === null) return html`<p class="muted">The prices of this market were not recorded.</p>`;
  const exits = rows.flatMap(({ exit }) => exit ?? []);
  const byOutcome = [...Map.groupBy(report.alerts, ({ outcome }) => outcome).values()];
  return byOutcome.map((alerts, index) => {
    const [first, ...others] = alerts as [Alert, ...Alert[]];
    const payout = payoutOf(report, first);
    return priceChart(chartOf(observed, [first, ...others], { exits, payout }), `chart-${index}`);
  });
}

function payoutOf({ resolution }: MarketReport, { outcome, outcomeIndex }: Alert): number | null {
  if (resolution === null) return null;
  const byName = outcomeNamed(resolution.outcomes, outcome);
  return resolution.payouts[byName < 0 ? outcomeIndex : byName] ?? null;
}

function listPart({ rows, now, olderThan, query }: MarketPageParts, path: string): Html {
  return alertPages(alertDays(rows, { now, isOfMarket: true }), {
    newest: query.before_id === undefined ? null : path,
    older: olderThan === null ? null : reportPath(path, { before_id: olderThan }),
  });
}

const SHOWN = 10;

function outcomesTable({ outcomes, resolution }: MarketReport): Html {
  const payout = (outcome: string) => {
    const paid = resolution?.payouts[outcomeNamed(resolution.outcomes, outcome)];
    return paid === undefined ? '–' : cents(paid);
  };
  const rows = outcomes.slice(0, SHOWN).map(({ outcome, alerts, usdc }) => {
    return [html`<bdi>${outcomeName(outcome)}</bdi>`, payout(outcome), alerts, dollars(usdc)];
  });
  const columns = ['Outcome', ...['Paid', 'Alerts', 'Orders'].map(numberColumn)];
  return section('outcomes', 'Outcomes', tableOf('Alerts by outcome', columns, rows));
}

function threadsTable({ threads }: MarketReport, hidden: HiddenWallets): Html {
  const rows = threads.newest.slice(0, SHOWN).map((thread) => threadRow(thread, hidden));
  const title = threads.total > rows.length ? `Positions: the newest of ${threads.total}` : 'Positions';
  return section('positions', title, tableOf('Newest positions', ['Who', 'What', 'Newest'], rows));
}

function threadRow({ wallet, side, outcome, prices }: MarketThread, hidden: HiddenWallets) {
  const [newest] = prices;
  return [
    wallet === null ? 'New wallets together' : walletLink(wallet, hidden),
    html`${side === 'BUY' ? 'bought' : 'sold'} <bdi>${outcomeName(outcome)}</bdi>`,
    newest === undefined ? '–' : html`<a href="${alertPath(newest.id)}">alert ${newest.id}</a>`,
  ];
}

function walletsTable({ wallets }: MarketReport, hidden: HiddenWallets): Html {
  const rows = wallets.largest.slice(0, SHOWN).map(({ wallet, alerts, usdc }) => {
    return [walletLink(wallet, hidden), alerts, alerts === 0 ? 'in a cluster' : dollars(usdc)];
  });
  const title = wallets.total > rows.length ? `Wallets: the largest of ${wallets.total}` : 'Wallets';
  return section(
    'wallets',
    title,
    tableOf('Largest wallets', ['Wallet', numberColumn('Alerts'), numberColumn('Orders')], rows),
  );
}
