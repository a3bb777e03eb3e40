import type { Alert } from '../../core/alerts/alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import type { MarketReport } from '../../core/alerts/market-report.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, dollars } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { outcomeNamed } from '../../core/trades/trade.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { chartOf, type MarketLine } from '../alert-prices.ts';
import { followedMarketReport } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type ReportPageQuery, reportPath } from '../list-query.ts';
import { alertDays } from '../parts/alert-days.ts';
import { alertPages, type ListedAlert } from '../parts/alert-row.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import {
  categoryWords,
  type HiddenWallets,
  outcomeName,
  titleOf,
  utcTag,
  walletLink,
  winnerOf,
} from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import { numberColumn, tableOf } from '../parts/table.ts';

interface MarketPageParts {
  readonly now: EpochMs;
  readonly observed: MarketLine | null;
  /** By outcome. */
  readonly pricesNow: ReadonlyMap<string, number>;
  readonly rows: readonly ListedAlert[];
  /** Those from the positions of the report’s alerts. */
  readonly exits: readonly Exit[];
  readonly query: ReportPageQuery;
  readonly olderThan: number | null;
  readonly hidden: HiddenWallets;
  readonly ways: FollowWays;
}

export function marketPage(report: MarketReport, parts: MarketPageParts): Page {
  const { newest, threads } = report;
  const { query, hidden } = parts;
  const path = marketPath(newest.eventSlug) ?? '/';
  const title = titleOf(newest);
  const isFirst = query.before_id === undefined;
  return {
    title,
    description: `${counted(threads.total, 'bet')} on “${title}”: when new wallets bought, at which prices, and what became of it.`,
    path: reportPath(path, query),
    isIndexed: isFirst,
    topics: isFirst ? [TOPICS.market(newest.marketId)] : [],
    body: html`<div class="stack">
        <div class="crumbs">
          <p class="muted small"><a href="/markets">Markets</a> · ${categoryWords(newest.category)}</p>
          ${followPanel(followedMarketReport(report), parts.ways)}
        </div>
        <h1><bdi>${title}</bdi></h1>
        <div id="state" class="stack" data-live>${stateOf(report, parts)}</div>
      </div>
      ${isFirst ? section('price', 'The price, and its alerts', priceOf(report, parts), 'live') : null}
      <div class="columns">
        ${section('list', 'Alerts', listPart(parts, path))}
        <div class="parts" id="tables" data-live>${walletsTable(report, hidden)}</div>
      </div>`,
  };
}

/** What it pays, or what it costs now, before what else is known of it. */
function stateOf(report: MarketReport, { observed, pricesNow }: MarketPageParts): readonly Html[] {
  const { newest, threads, resolution } = report;
  const ends = observed?.endsAt ?? null;
  return [
    html`<p class="lead">${resolution === null ? openAt(report, pricesNow) : winnerOf(resolution, newest)}</p>`,
    html`<ul class="line">
      <li><a href="${marketAddress(newest)}" rel="nofollow noopener">Market on Polymarket</a></li>
      <li>${counted(threads.total, 'bet')}</li>
      ${resolution === null ? null : html`<li>settled ${utcTag(resolution.log.at)}</li>`}
      ${ends === null || resolution !== null ? null : html`<li>stated end ${utcTag(ends)}</li>`}
    </ul>`,
  ];
}

function openAt({ outcomes }: MarketReport, prices: ReadonlyMap<string, number>): Html {
  const known = outcomes.flatMap(({ outcome }) => {
    const price = prices.get(outcome);
    if (price === undefined) return [];
    return [html`<bdi>${outcomeName(outcome)}</bdi> <strong>${cents(price)}</strong>`];
  });
  if (known.length === 0) return html`Open; its current price is not known.`;
  return html`Now ${known.map((price, index) => html`${index > 0 && ', '}${price}`)}.`;
}

/** Of the market's first outcome, if one of the alerts bought it. */
function priceOf(
  report: MarketReport,
  { exits, observed }: MarketPageParts,
): readonly (Html | null)[] | Html {
  if (observed === null) return html`<p class="muted">The prices of this market were not recorded.</p>`;
  const { alerts, newest } = report;
  const charted = alerts.find(({ outcomeIndex }) => outcomeIndex === 0) ?? newest;
  const others = alerts.filter((alert) => alert !== charted);
  const chart = chartOf(observed, [charted, ...others], { exits, payout: payoutOf(report, charted) });
  return [priceChart(chart), report.hasMore ? chartedWords(report) : null];
}

function chartedWords({ alerts, total }: MarketReport): Html {
  return html`<p class="muted small">The chart shows the newest ${alerts.length} of ${counted(total, 'alert')}.</p>`;
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

const SHOWN = 6;

function walletsTable({ wallets }: MarketReport, hidden: HiddenWallets): Html {
  const rows = wallets.largest.slice(0, SHOWN).map(({ wallet, alerts, putInUsdc }) => {
    return [walletLink(wallet, hidden), alerts === 0 ? 'in a cluster' : dollars(putInUsdc)];
  });
  const title = wallets.total > rows.length ? `Wallets: the largest of ${wallets.total}` : 'Wallets';
  return section('wallets', title, tableOf('Largest wallets', ['Wallet', numberColumn('Put in')], rows));
}
