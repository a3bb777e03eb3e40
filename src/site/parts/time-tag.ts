import { utcMinute } from '../../core/alerts/alert-words.ts';
import type { EpochMs } from '../../core/trades/trade.ts';
import { type Html, html } from '../html.ts';

/** A time: a date in UTC, which a script writes as an age. */
export function timeTag(at: EpochMs): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-age>${utcMinute(at)}</time>`;
}
