import { walletPath } from '../../core/alerts/site-paths.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { AlertReport } from '../alert-report.ts';
import { type Html, html, section } from '../html.ts';
import { alertList, alertRow } from '../parts/alert-row.ts';
import { tradeOf } from '../parts/labels.ts';
import { positionRow } from '../parts/position-row.ts';

/** Of a longer list, the alerts before the newest are folded. */
const UNFOLDED = 4;

/** The alerts of the same position, if there are others. */
export function threadPart({ alert, thread, exit }: AlertReport): Html | null {
  if (thread.length < 2) return null;
  const rows = thread.map((other) =>
    other.id === alert.id
      ? html`<p class="this"><strong>This alert</strong>: ${tradeOf(alert)}</p>`
      : alertRow({ alert: other, priceNow: null, exit }, { isOfMarket: true }),
  );
  const folded = rows.length > UNFOLDED + 1 ? rows.slice(0, -UNFOLDED) : [];
  const list = html`<p class="muted">Later alerts add to the same position: they are one bet, not several. Oldest first.</p>
    ${folded.length > 0 && html`<details class="more"><summary>${counted(folded.length, 'earlier alert')}</summary>${alertList(folded)}</details>`}
    ${alertList(rows.slice(folded.length))}`;
  return section('thread', `The same position: ${thread.length} alerts`, list);
}

export function othersPart({ alert: { wallet }, others }: AlertReport): Html | null {
  if (others === null) return null;
  const list = alertList(others.map(positionRow), 'No alert names another position of this wallet.');
  const all = html`<p class="muted small"><a href="${walletPath(wallet)}">Everything published about this wallet</a></p>`;
  const body = html`${list} ${others.length > 0 && all}`;
  return section('other-positions', 'The wallet’s other positions', body);
}
