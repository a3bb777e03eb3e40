import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitBrief, NO_SALE, percentOut } from '../../core/alerts/exits/exit-words.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { positionHeld, positionProfitAt, type WalletPosition } from '../../core/alerts/wallet-report.ts';
import { cents, counted, dollars, signedDollars } from '../../core/base/text/formats.ts';
import { type Html, html } from '../html.ts';
import { marketLink } from './alert-row.ts';
import { outcomeName, resultTag, rowTime } from './labels.ts';

/** A position with the last known price of its outcome, or what it paid, and how far it was left. */
export interface ListedPosition extends WalletPosition {
  readonly priceNow: number | null;
  readonly exit: Exit | null;
}

/** Alerts of one position that are linked. */
const LINKED = 5;

/** One position of a wallet, and what became of it. */
export function positionRow(position: ListedPosition): Html {
  const { newest, own, alertIds, usdc, price, priceNow, exit } = position;
  const { id, side, resolution } = newest;
  const isOpen = resolution === null;
  const figures = [
    [side === 'BUY' ? 'Put in' : 'Sold for', dollars(usdc)],
    [side === 'BUY' ? 'Bought at' : 'Sold at', cents(price)],
    [isOpen ? 'Now' : 'Paid', priceNow === null ? '–' : cents(priceNow)],
    ['Exits', exitsOf(position)],
    ['Result', resultOf(position)],
  ] as const;
  return html`<article class="position" aria-labelledby="position-${id}" id="position-of-${alertIds[0]}" data-live="row">
    <h3 id="position-${id}">${marketLink(newest)}</h3>
    <p class="muted small">${resultTag('badge', own ?? newest, exit)} ${tradeOf(position)} · ${alertLinks(position)}${newest.withdrawn && ' · withdrawn'} ${rowTime(newest.createdAt, false)}</p>
    <dl>${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </article>`;
}

function tradeOf({ newest: { side, outcome, details } }: WalletPosition): Html {
  const name = html`<bdi>${outcomeName(outcome)}</bdi>`;
  if (side === 'SELL') return html`Sold ${name}`;
  const times = details.marketBuyCount > 1 ? ` in ${counted(details.marketBuyCount, 'buy')}` : '';
  return html`Bought ${name}${times}`;
}

/** Of what is held; of an open position, what it would earn at the price now. */
function resultOf(position: ListedPosition): Html | string {
  const { profitUsdc, priceNow, exit } = position;
  const profit = profitUsdc ?? (priceNow === null ? null : positionProfitAt(position, priceNow));
  const held = positionHeld(position, exit);
  if (held === 0) return 'nothing held';
  if (profit === null) return '–';
  const soFar = profitUsdc === null ? ' so far' : '';
  if (held === null) return html`<span class="muted">${signedDollars(profit)}${soFar} if held</span>`;
  const sum = html`<span class="${profit < 0 ? 'wrong' : 'right'}">${signedDollars(held * profit)}</span>`;
  const percent = 100 - percentOut(held);
  const part = percent === 100 ? soFar : `${soFar} on the ${percent} % held`;
  return part === '' ? sum : html`${sum} <span class="muted small">${part.trim()}</span>`;
}

function exitsOf({ exit, own, newest }: ListedPosition): Html | string {
  if (own === null) return html`<a href="${alertPath(newest.id)}">see the cluster</a>`;
  if (exit === null) return NO_SALE;
  const { profitUsdc } = exit;
  return html`${exitBrief(exit)}${profitUsdc !== null && html`: <span>${signedDollars(profitUsdc)}</span>`}`;
}

function alertLinks({ alertIds }: WalletPosition): Html {
  const shown = alertIds.slice(-LINKED).toReversed();
  const left = alertIds.length - shown.length;
  return html`${alertIds.length === 1 ? 'alert' : 'alerts'}
    ${shown.map((id, index) => html`${index > 0 && ', '}<a href="${alertPath(id)}">${id}</a>`)}${left > 0 && ` and ${left} more`},`;
}
