import type { Alert } from '../../core/alerts/alert.ts';
import { typeInRow } from '../../core/alerts/alert-names.ts';
import { stakeOf } from '../../core/alerts/bet.ts';
import { describeStake } from '../../core/alerts/describe-alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitBrief } from '../../core/alerts/exits/exit-words.ts';
import { isOfSameOrder } from '../../core/alerts/ledger/thread.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { rounded } from '../../core/base/rounded.ts';
import { capitalised, cents, cutText, oneLine } from '../../core/base/text/formats.ts';
import { attribute, type Html, html } from '../html.ts';
import { scoreMeter } from './figures.ts';
import { resultTag, rowTime, titleOf } from './labels.ts';

/** An alert with the last known price of its outcome, or what it paid; null if there is none. */
export interface ListedAlert {
  readonly alert: Alert;
  readonly priceNow: number | null;
  /** The last valid exit of its thread; null without one. */
  readonly exit: Exit | null;
}

export interface RowOptions {
  /** The alert of the same order that a cluster includes. */
  readonly includes?: number | undefined;
  /** On the page of its market, which names it. */
  readonly isOfMarket?: boolean;
  /** Below a heading with the day. */
  readonly isDated?: boolean;
  /** Of ids, where a page may list an alert a second time. */
  readonly idPrefix?: string;
}

/** The outcome is at the most so long that a row keeps its height. */
const OUTCOME_LENGTH = 40;

/** An alert in a list: in two lines where there is room, by the width of the list. */
export function alertRow(
  { alert, priceNow, exit }: ListedAlert,
  { includes, isOfMarket = false, isDated = false, idPrefix = 'alert' }: RowOptions = {},
): Html {
  const { id, score, createdAt } = alert;
  const outcome = cutText(oneLine(alert.outcome), OUTCOME_LENGTH);
  const trade = capitalised(describeStake({ ...alert, outcome }));
  const notes = [
    alert.withdrawn && 'withdrawn by the operator',
    exit && exitBrief(exit),
    alert.supersedes &&
      html`same bet as <a href="${alertPath(alert.supersedes)}">alert ${alert.supersedes}</a>`,
    includes && html`includes <a href="${alertPath(includes)}">alert ${includes}</a>`,
  ].filter(Boolean);
  return html`<article class="alert" id="${idPrefix}-${id}-row" data-live="row">
    ${scoreMeter(score)}
    <p class="trade"><a href="${alertPath(id)}">${trade}</a></p>
    ${isOfMarket ? null : html`<p class="market">${marketLink(alert)}</p>`}
    <p class="price"><span>${priceSince(alert, priceNow, trade)}</span> ${resultTag('result', alert, exit)}</p>
    <p class="when">${typeInRow(alert)} · ${rowTime(createdAt, isDated)}</p>
    ${notes.length === 0 ? null : html`<p class="notes">${notes.map((note, index) => html`${index > 0 && ' · '}${note}`)}</p>`}
  </article>`;
}

export function alertList(rows: readonly Html[], none = 'There are no alerts yet.'): Html {
  if (rows.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ol class="alerts">
    ${rows.map((row) => html`<li>${row}</li>`)}
  </ol>`;
}

export function alertPages(list: Html, { newest, older }: Record<'newest' | 'older', string | null>): Html {
  return html`<div id="alerts" data-live="list">
    ${list}
    <p class="pages">
      ${newest === null ? null : html`<a href="${newest}">Newest alerts</a>`}
      ${older === null ? null : html`<a href="${older}" rel="next nofollow">Older alerts</a>`}
    </p>
  </div>`;
}

/** The ids of alerts that are of the same order as a cluster, by the id of the cluster. Of alerts in any order. */
export function ordersOfClusters(alerts: readonly Alert[]): ReadonlyMap<number, number> {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const pairs = alerts
    .filter((alert) => isOfSameOrder(alert, byId.get(alert.id - 1)))
    .map(({ id }) => [id, id - 1] as const);
  return new Map(pairs);
}

export function marketLink(alert: Pick<Alert, 'eventTitle' | 'eventSlug'>): Html {
  const path = marketPath(alert.eventSlug);
  const title = html`<bdi>${titleOf(alert)}</bdi>`;
  return path === null ? title : html`<a href="${path}">${title}</a>`;
}

/** Screen readers leave out what the trade’s own words have said. A settled one has its result beside what it paid. */
function priceSince(alert: Alert, priceNow: number | null, trade: string): Html {
  const { meanPrice } = stakeOf(alert);
  const price = cents(meanPrice);
  const isSaid = attribute('aria-hidden', trade.includes(` ${price}`) ? 'true' : null);
  const then = html`<span${isSaid}>${price}${priceNow !== null && ','}</span>`;
  if (priceNow === null) return then;
  if (alert.resolution !== null) return html`${then} settled at ${cents(priceNow)}`;
  const moved = rounded(priceNow - meanPrice, 3);
  const sign = moved === 0 ? '±' : moved > 0 ? '+' : '−';
  const isAsBought = alert.side === 'BUY' ? moved > 0 : moved < 0;
  const look = moved === 0 ? 'muted' : isAsBought ? 'right' : 'wrong';
  return html`${then} now ${cents(priceNow)} <span class="${look}">${sign}${cents(Math.abs(moved))}</span>`;
}
