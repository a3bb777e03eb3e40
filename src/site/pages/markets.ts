import type { Alert } from '../../core/alerts/alert.ts';
import { sumWords } from '../../core/alerts/describe-alert.ts';
import type { KnownSettlement } from '../../core/alerts/settlement.ts';
import { cents, timeSpan } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { PricePoint } from '../../core/trades/price-point.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type MarketsQuery, marketsPath } from '../list-query.ts';
import { marketLink } from '../parts/alert-row.ts';
import { orderLinks } from '../parts/filters.ts';
import { outcomeName, utcTag, winnerOf } from '../parts/labels.ts';
import { smallPriceLine } from '../parts/price-chart.ts';

/** Its public bets and what they have put in. */
export interface MarketFigures {
  readonly bets: number;
  readonly putInUsdc: number;
}

export interface OpenMarket extends MarketFigures {
  readonly newest: Alert;
  /** Of the outcome that the newest alert names; null where none is known. */
  readonly priceNow: number | null;
  readonly line: readonly PricePoint[];
  /** Null where the market states none. */
  readonly endsAt: EpochMs | null;
}

export interface SettledMarket extends MarketFigures {
  readonly newest: Alert;
  readonly settlement: KnownSettlement;
}

export interface ListedMarkets {
  readonly now: EpochMs;
  readonly open: readonly OpenMarket[];
  readonly settled: readonly SettledMarket[];
}

interface MarketsModel extends ListedMarkets {
  readonly query: MarketsQuery;
}

const ORDERS = [
  [undefined, 'Most bets'],
  ['usdc', 'Most put in'],
  ['ends', 'Ends next'],
] as const;

export function marketsPage({ query, now, open, settled }: MarketsModel): Page {
  const { sort } = query;
  const order = ORDERS.find(([name]) => name === sort)?.[1] ?? '';
  return {
    title: sort === undefined ? 'Markets with alerts' : `Markets with alerts: ${order.toLowerCase()}`,
    description:
      'Prediction markets in which new wallets bet large: the open ones with their bets, price and end, and those that were settled last.',
    path: marketsPath(query),
    isIndexed: sort === undefined,
    topics: [TOPICS.alerts],
    body: html`<h1>Markets with alerts</h1>
      <section class="stack" id="list" aria-labelledby="list-title">
        <div class="list-head">
          <h2 id="list-title">Open</h2>
          ${orderLinks(
            ORDERS.map(([name, label]) => {
              return { label, path: marketsPath({ sort: name }), isCurrent: name === sort };
            }),
          )}
        </div>
        <div id="open" data-live="list">${marketList(
          open.map((market) => openRow(market, now)),
          sort === 'ends'
            ? 'No open market with alerts has a stated end in the future.'
            : 'No open market has an alert from the last 365 days.',
        )}</div>
      </section>
      ${section('settled', 'Settled last', html`<div id="settled-list" data-live="list">${marketList(settled.map(settledRow), 'No market with alerts has been settled yet.')}</div>`)}`,
  };
}

/** The open ones first. */
export function marketRows({ open, settled, now }: ListedMarkets): readonly Html[] {
  return [...open.map((market) => openRow(market, now)), ...settled.map(settledRow)];
}

export function marketList(rows: readonly Html[], none: string): Html {
  if (rows.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ol class="alerts">
    ${rows}
  </ol>`;
}

/** One that is settled meanwhile changes in place to what it is in the other list. */
function marketRow({ marketId }: Alert, row: Html): Html {
  return html`<li class="market-row" id="market-${marketId}" data-live="row">${row}</li>`;
}

function openRow({ newest, priceNow, line, endsAt, bets, putInUsdc }: OpenMarket, now: EpochMs): Html {
  const ends =
    endsAt === null ? null : endsAt <= now ? 'past its stated end' : `ends in ${timeSpan(endsAt - now)}`;
  const row = html`<p class="name">${marketLink(newest)}</p>
    <p class="sum">${sumWords(bets, putInUsdc)}${ends && ` · ${ends}`}</p>
    <p class="now">${priceNow === null ? html`<span class="muted">no price yet</span>` : html`<bdi>${outcomeName(newest.outcome)}</bdi> <strong>${cents(priceNow)}</strong>`}</p>
    ${smallPriceLine(line)}`;
  return marketRow(newest, row);
}

function settledRow({ newest, settlement, bets, putInUsdc }: SettledMarket): Html {
  const row = html`<p class="name">${marketLink(newest)}</p>
    <p class="sum">${sumWords(bets, putInUsdc)} · settled ${utcTag(settlement.at)}</p>
    <p class="now">${winnerOf(settlement)}</p>`;
  return marketRow(newest, row);
}
