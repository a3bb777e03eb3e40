import type { Alert } from '../../core/alerts/alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import type { MarketReport } from '../../core/alerts/market-report.ts';
import { payoutOf } from '../../core/alerts/settlement.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, dollars } from '../../core/base/text/formats.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { chartOf, type MarketLine } from '../alert-prices.ts';
import { followedMarketReport } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { listPath } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import { followPanel } from '../parts/follow-panel.ts';
import { categoryWords, outcomeName, titleOf, utcTag, winnerOf } from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import type { RunningBot } from '../service-report.ts';

interface MarketPageParts {
  readonly watched: MarketLine | null;
  /** Those that have put in most come first. */
  readonly rows: readonly ListedAlert[];
  /** Those from the positions of the report’s alerts. */
  readonly exits: readonly Exit[];
  readonly bots: readonly RunningBot[];
}

export function marketPage(report: MarketReport, parts: MarketPageParts): Page {
  const { newest, threads } = report;
  const title = titleOf(newest);
  return {
    title,
    description: `${counted(threads.total, 'bet')} on “${title}”: when new wallets bought, at which prices, and what became of it.`,
    path: marketPath(newest.eventSlug) ?? '/',
    topics: [TOPICS.market(newest.marketId)],
    styles: ['chart.css'],
    body: html`<div class="stack">
        <div class="crumbs">
          <p class="muted small"><a href="/markets">Markets</a> · ${categoryWords(newest.category)}</p>
          ${followPanel(followedMarketReport(report), parts.bots)}
        </div>
        <h1><bdi>${title}</bdi></h1>
        <div id="state" class="stack" data-live>${stateOf(report, parts)}</div>
      </div>
      ${section('price', 'The price, and its alerts', priceOf(report, parts), 'live')}
      ${section('list', 'Bets, the largest first', listPart(report, parts))}`,
  };
}

/** What it pays, or what it costs now, before what else is known of it. */
function stateOf(report: MarketReport, { watched }: MarketPageParts): readonly Html[] {
  const { newest, resolution } = report;
  const ends = watched?.endsAt ?? null;
  return [
    html`<p class="lead">${resolution === null ? openAt(report, watched) : winnerOf(resolution)}</p>`,
    html`<ul class="line">
      <li><a href="${marketAddress(newest)}" rel="nofollow noopener">Market on Polymarket</a></li>
      <li>${putInWords(report)}</li>
      ${resolution === null ? null : html`<li>Settled ${utcTag(resolution.at)}</li>`}
      ${ends === null || resolution !== null ? null : html`<li>Stated end ${utcTag(ends)}</li>`}
    </ul>`,
  ];
}

/** `75 bets: $90,000 on Yes, $33,456 on No`: the sums of the list. */
function putInWords({ threads, outcomes }: MarketReport): Html {
  const sums = outcomes.map(
    ({ outcome, putInUsdc }, index) =>
      html`${index > 0 && ', '}${dollars(putInUsdc)} on <bdi>${outcomeName(outcome)}</bdi>`,
  );
  return html`<strong>${counted(threads.total, 'bet')}</strong>: ${sums}`;
}

function openAt(report: MarketReport, watched: MarketLine | null): Html {
  const charted = chartedOf(report);
  const price = watched?.lineOf(charted).at(-1)?.price;
  if (price === undefined) return html`Open; its current price is not known.`;
  return html`<bdi>${outcomeName(charted.outcome)}</bdi> now <strong>${cents(price)}</strong>`;
}

/** On the market's first outcome, if one of the alerts bought it: the chart has its price. */
function chartedOf({ alerts, newest }: MarketReport): Alert {
  return alerts.find(({ outcomeIndex }) => outcomeIndex === 0) ?? newest;
}

function priceOf(report: MarketReport, { exits, watched }: MarketPageParts): readonly (Html | null)[] | Html {
  if (watched === null) return html`<p class="muted">The prices of this market were not recorded.</p>`;
  const { alerts, resolution } = report;
  const charted = chartedOf(report);
  const others = alerts.filter((alert) => alert !== charted);
  const payout = resolution && (payoutOf(charted, resolution) ?? null);
  const chart = chartOf(watched, [charted, ...others], { exits, payout });
  return [priceChart(chart), report.hasMore ? chartedWords(report) : null];
}

function chartedWords({ alerts, total }: MarketReport): Html {
  return html`<p class="muted small">The chart shows the newest ${alerts.length} of ${counted(total, 'alert')}.</p>`;
}

function listPart({ newest, threads: { total } }: MarketReport, { rows }: MarketPageParts): Html {
  const list = rows.map((row) => alertRow(row, { isOfMarket: true }));
  const all = listPath({ market: newest.eventSlug });
  return html`<div id="alerts" data-live="list">
    ${alertList(list)}
    ${total > rows.length ? html`<p class="pages"><a href="${all}#list" rel="nofollow">All ${counted(total, 'bet')}</a></p>` : null}
  </div>`;
}
