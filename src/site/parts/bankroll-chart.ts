import { counted, utcDay } from '../../core/base/text/formats.ts';
import { bankrollWords } from '../../core/record/conclusion.ts';
import type { RecordReport } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';

/** The least that the axis shows, in dollars. */
const LEAST = 0.1;
/** Width and height of the line, in its own units. */
const SIZE = 1_000;

/** The bankroll of the test after each closed bet, on a logarithmic axis up to what would be evidence. Null before the first. */
export function bankrollChart({ day_later: { threshold }, bankroll }: RecordReport): Html | null {
  const [first, ...course] = bankroll;
  const last = course.at(-1);
  if (first === undefined || last === undefined) return null;
  const [from, until] = [Date.parse(first.at), Date.parse(last.at)];
  const top = Math.max(threshold, ...course.map(({ capital }) => capital));
  const xOf = (at: string) => Math.round((SIZE * (Date.parse(at) - from)) / (until - from));
  const yOf = (capital: number) =>
    Math.round((SIZE * Math.log(top / Math.max(capital, LEAST))) / Math.log(top / LEAST));
  const steps = course.map(({ at, capital }) => `H${xOf(at)}V${yOf(capital)}`);
  return html`<figure>
    <svg class="bankroll" role="img" aria-label="The bankroll over time">
      ${level(threshold, yOf(threshold))} ${level(1, yOf(1))}
      <text class="end" x="100%" y="${yOf(threshold) / (SIZE / 100)}%" dy="1.3em">evidence</text>
      <svg viewBox="0 0 ${SIZE} ${SIZE}" preserveAspectRatio="none"><path d="M0 ${yOf(1)}${steps.join('')}"></path></svg>
      <text y="100%" dy="1.3em">${utcDay(from)}</text><text class="end" x="100%" y="100%" dy="1.3em">${utcDay(until)}</text>
    </svg>
    <figcaption class="muted small">
      Hypothetical bankroll, starting at $1, on one alert at a time for a day each: ${bankrollWords(last.capital)} after ${counted(course.length, 'bet')}.
      If prices were fair, the chance of ever reaching $${threshold} would be at most 1 in ${threshold}. Reaching it is evidence; less is not.
    </figcaption>
  </figure>`;
}

/** A line across the chart, with its amount left of it. */
function level(capital: number, y: number): Html {
  const place = `${y / (SIZE / 100)}%`;
  return html`<line x2="100%" y1="${place}" y2="${place}"></line><text class="end" x="-8" y="${place}" dy="0.35em">$${capital}</text>`;
}
