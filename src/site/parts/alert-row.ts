import type { Alert } from '../../core/alerts/alert.ts';
import { scoreBandOf } from '../../core/alerts/alert-names.ts';
import { mainReasons } from '../../core/alerts/alert-reasons.ts';
import { stakeOf } from '../../core/alerts/bet.ts';
import { courseWords, describeStake, resultTone } from '../../core/alerts/describe-alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { rounded } from '../../core/base/rounded.ts';
import { capitalised, cents, cutLine, signedCents } from '../../core/base/text/formats.ts';
import { type Html, html } from '../html.ts';
import { rowTime, titleOf } from './labels.ts';

/** An alert with the last known price of its outcome, or what it paid; null if there is none. */
export interface ListedAlert {
  readonly alert: Alert;
  readonly priceNow: number | null;
  /** The last exit of its thread; null without one. */
  readonly exit: Exit | null;
}

export interface RowOptions {
  /** On the page of its market, which names it. */
  readonly isOfMarket?: boolean;
  /** Of ids, where a page may list an alert a second time. */
  readonly idPrefix?: string;
  /** Instead of when it was published. */
  readonly when?: string;
}

/** The outcome is at the most so long that a row keeps its height. */
const OUTCOME_LENGTH = 40;

/** A bet in a list, as its newest alert states it: in two or three lines where there is room, by the width of the list. */
export function alertRow(
  listed: ListedAlert,
  { isOfMarket = false, idPrefix = 'alert', when }: RowOptions = {},
): Html {
  const { alert } = listed;
  const { id, score, createdAt } = alert;
  const outcome = cutLine(alert.outcome, OUTCOME_LENGTH);
  const why = [...(alert.withdrawn ? ['withdrawn by the operator'] : []), ...mainReasons(alert)];
  return html`<article class="alert" id="${idPrefix}-${id}-row" data-live="row">
    <p class="score"><span class="hidden">Score </span><strong>${Math.round(score)}</strong> ${scoreBandOf(score).word}</p>
    <p class="when">${when ?? rowTime(createdAt)}</p>
    <p class="price">${courseOf(listed)}</p>
    <p class="trade"><a href="${alertPath(id)}">${capitalised(describeStake({ ...alert, outcome }))}</a></p>
    ${isOfMarket ? null : html`<p class="market">${marketLink(alert)}</p>`}
    <p class="why">${why.map(unbroken).join('\u00a0· ')}</p>
  </article>`;
}

/** A line ends between reasons, not within one. */
function unbroken(reason: string): string {
  return reason.replaceAll(' ', '\u00a0');
}

export function alertList(rows: readonly Html[], none: Html | string = 'There are no alerts yet.'): Html {
  if (rows.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ol class="alerts">
    ${rows.map((row) => html`<li>${row}</li>`)}
  </ol>`;
}

export function marketLink(alert: Pick<Alert, 'eventTitle' | 'eventSlug'>): Html {
  const path = marketPath(alert.eventSlug);
  const title = html`<bdi>${titleOf(alert)}</bdi>`;
  return path === null ? title : html`<a href="${path}">${title}</a>`;
}

/** The price now, with what was sold; of a settled bet the result of what was held. */
function courseOf({ alert, priceNow, exit }: ListedAlert): Html {
  const words = courseWords(alert, exit);
  if (alert.resolution !== null)
    return html`<span class="${resultTone(alert, exit) ?? 'muted'}">${capitalised(words ?? '')}</span>`;
  if (priceNow === null) return html`<span class="muted">${words ?? 'no order since'}</span>`;
  return html`${priceSince(alert, priceNow)}${words && ` · ${words}`}`;
}

function priceSince(alert: Alert, priceNow: number): Html {
  const moved = rounded(priceNow - stakeOf(alert).meanPrice, 3);
  const isAsBought = alert.side === 'BUY' ? moved > 0 : moved < 0;
  const look = moved === 0 ? 'muted' : isAsBought ? 'right' : 'wrong';
  return html`now ${cents(priceNow)} <span class="${look}">${signedCents(moved)}</span>`;
}
