import { utcDay } from '../../core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { type Html, html } from '../html.ts';
import { alertList, alertRow, type ListedAlert, type RowOptions } from './alert-row.ts';

interface DaysOptions extends Pick<RowOptions, 'isOfMarket'> {
  readonly now: EpochMs;
  /** What is said instead of an empty list. */
  readonly none?: string;
}

/** A list of alerts, newest first, below the days (UTC) on which they were published. */
export function alertDays(
  listed: readonly ListedAlert[],
  { now, none, isOfMarket = false }: DaysOptions,
): Html {
  if (listed.length === 0) return alertList([], none);
  const days = Map.groupBy(listed, ({ alert }) => utcDay(alert.createdAt));
  return html`${[...days].map(
    ([day, ofDay]) =>
      html`<h3 class="day" id="day-${day}" data-live>${dayWords(day, now)}</h3>
        ${alertList(ofDay.map((row) => alertRow(row, { isOfMarket })))}`,
  )}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `Today, 21 November`; of another year `21 November 2026`. */
function dayWords(day: string, now: EpochMs): Html {
  const at = Date.parse(day);
  const date = (day.slice(0, 4) === utcDay(now).slice(0, 4) ? DAY : DAY_OF_YEAR).format(at);
  const relative = { [utcDay(now)]: 'Today, ', [utcDay(now - DAY_MS)]: 'Yesterday, ' }[day] ?? '';
  return html`${relative}<time datetime="${day}">${date}</time> <span class="muted">UTC</span>`;
}
