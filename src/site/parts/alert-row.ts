import type { Alert } from '../../core/alerts/alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitWords } from '../../core/alerts/exits/exit-words.ts';
import { isOfSameOrder } from '../../core/alerts/ledger/thread.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { rounded } from '../../core/base/rounded.ts';
import { cents } from '../../core/base/text/formats.ts';
import { type Html, html } from '../html.ts';
import { scoreMeter } from './figures.ts';
import { categoryWords, resultBadge, TYPE_WORDS, timeTag, titleOf, tradeOf } from './labels.ts';

/** An alert with the last known price of its outcome, or what it paid; null if there is none. */
export interface ListedAlert {
  readonly alert: Alert;
  readonly priceNow: number | null;
  /** What became of its position; absent where that is not said. */
  readonly exit?: Exit | null;
}

interface RowOptions {
  readonly includes?: number | undefined;
  readonly isOfMarket?: boolean;
}

export function alertRow(
  { alert, priceNow, exit }: ListedAlert,
  { includes, isOfMarket = false }: RowOptions = {},
): Html {
  const { id, type, score, category, createdAt } = alert;
  const trade = html`<a href="${alertPath(id)}">${tradeOf(alert)}</a>`;
  const heading = isOfMarket
    ? html`<h3 id="alert-${id}">${trade}</h3>`
    : html`<h3 id="alert-${id}">${marketLink(alert)}</h3>
        <p>${trade}</p>`;
  return html`<article class="alert" aria-labelledby="alert-${id}">
    ${scoreMeter(score)}
    <div class="what">
      ${heading}
      <p class="muted small">
        ${TYPE_WORDS[type]} · ${categoryWords(category)} · ${timeTag(createdAt)}${relation(alert, includes)}
      </p>
      ${exit && html`<p class="small">${exitWords(exit)}</p>`}
    </div>
    ${priceSince(alert, priceNow)}
    <p class="result">${resultBadge(alert)}</p>
  </article>`;
}

export function alertList(rows: readonly Html[], none = 'There are no alerts yet.'): Html {
  if (rows.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ol class="alerts">
    ${rows.map((row) => html`<li>${row}</li>`)}
  </ol>`;
}

export function alertPages(list: Html, { newest, older }: Record<'newest' | 'older', string | null>): Html {
  return html`<div id="alerts" data-live>${list}
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

/** A later alert of a thread is the same bet, and a cluster counts an order that may have its own alert. */
function relation({ supersedes }: Alert, includes: number | undefined): Html {
  const earlier =
    supersedes === null ? null : html` · adds to <a href="${alertPath(supersedes)}">alert ${supersedes}</a>`;
  const same =
    includes === undefined ? null : html` · includes <a href="${alertPath(includes)}">alert ${includes}</a>`;
  return html`${earlier}${same}`;
}

function priceSince({ side, entryPrice, resolution }: Alert, priceNow: number | null): Html {
  const then = cents(entryPrice);
  if (priceNow === null)
    return html`<p class="price"><span class="hidden">Price at the alert </span><span class="number">${then}</span></p>`;
  const moved = rounded(priceNow - entryPrice, 3);
  const isAsBought = side === 'BUY' ? moved > 0 : moved < 0;
  const direction = moved === 0 ? 'unchanged' : moved > 0 ? 'up' : 'down';
  const sign = { unchanged: '±', up: '▲', down: '▼' }[direction];
  const now = resolution === null ? 'now' : 'paid';
  return html`<p class="price">
    <span class="hidden">Price at the alert </span><span class="number">${then}</span>
    <span aria-hidden="true">→</span><span class="hidden">, ${now}</span> <span class="number">${cents(priceNow)}</span>
    <span class="${moved === 0 ? 'muted' : isAsBought ? 'right' : 'wrong'} small"
      ><span aria-hidden="true">${sign}</span><span class="hidden">, ${direction} </span> ${cents(Math.abs(moved))}</span
    >
  </p>`;
}
