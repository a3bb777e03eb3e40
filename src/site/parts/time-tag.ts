import { utcMinute } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { type Html, html } from '../html.ts';

/** A time: a date in UTC, which a script writes as an age. */
export function timeTag(at: EpochMs): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-age>${utcMinute(at)}</time>`;
}
