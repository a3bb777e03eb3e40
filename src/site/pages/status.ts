import { counted } from '../../core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { type BlindWindow, CAUSE_WORDS } from '../../core/trades/coverage/blind-window.ts';
import type { CoverageSummary, FeedView } from '../../core/trades/coverage/coverage-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { timeTag, utcTag } from '../parts/labels.ts';
import { tableOf } from '../parts/table.ts';
import type { SiteDeps } from '../site.ts';
import { causesTable, unwatchedPart } from './status-tables.ts';
import { ageWords, headlineOf } from './status-words.ts';

export const STATUS_DAYS = 30;
const SHOWN_WINDOWS = 50;

interface StatusModel {
  readonly source: SiteDeps['source'];
  readonly view: FeedView;
  readonly span: CoverageSummary;
  readonly now: EpochMs;
}

export function statusPage(model: StatusModel): Page {
  const { view, source } = model;
  const { text, more, tone } = headlineOf(view, source);
  // Before the first answer of the market there is nothing to say of any day.
  const wasSeen = view.confirmedUntil !== null || model.span.count > 0;
  return {
    title: 'Status',
    description: 'Whether the service sees the market now, and when it did not.',
    path: '/status',
    styles: ['record.css'],
    topics: [TOPICS.alerts, TOPICS.feed],
    body: html`<div class="stack" id="now" data-live>
        <h1>Status</h1>
        <section class="panel state ${tone}" aria-labelledby="state">
          <h2 id="state">${text}</h2>
          <p>${more}</p>
          ${sinceLine(model)}
          <p class="muted small">This page was made ${timeTag(model.now)}, and is at most a minute old.</p>
        </section>
      </div>
      ${wasSeen ? windowsOf(model) : null}
      ${source === 'market' ? unwatchedPart(view.unwatched) : null} ${meaning()}`,
  };
}

/** How long it has been so, and since when anything is known at all. */
function sinceLine({ view: { open, since, confirmedUntil }, source, now }: StatusModel): Html | null {
  if (since === null) return null;
  const lasting =
    open &&
    html`This has been so since ${utcTag(open.startedAt)}, for ${ageWords(Math.max(0, now - open.startedAt))}.`;
  const known =
    confirmedUntil === null
      ? 'No trade has been confirmed yet.'
      : html`Everything that it listed until ${utcTag(confirmedUntil)} is confirmed, except in the windows below.`;
  const watched = source === 'market' ? html`The market has been watched since` : html`It was watched from`;
  return html`<p>${lasting} ${watched} ${utcTag(since)}${source === 'market' ? null : ' on'}. ${known}</p>`;
}

function windowsOf({ span, view, now }: StatusModel): Html {
  const { windows, count } = span;
  const days = statusDays({ windows, since: view.since, now }, STATUS_DAYS);
  const shown = windows.slice(0, SHOWN_WINDOWS);
  const more =
    count > shown.length
      ? html`<p class="muted">
          The newest ${shown.length} of ${counted(count, 'window')}; <a href="/api/v1/coverage?limit=100">more</a>.
        </p>`
      : null;
  const columns = ['Began', 'Lasted', 'Cause', 'Read again'];
  const list =
    shown.length === 0
      ? html`<p>There was none.</p>`
      : tableOf(
          'Blind windows, newest first',
          columns,
          shown.map((window) => rowOf(window, now)),
          'stacked',
        );
  const causes = shown.length === 0 ? null : causesTable(span, now);
  const body = html`${dayStrip(days)} ${causes} ${list} ${more}`;
  return section('windows', `Blind windows of ${STATUS_DAYS} days`, body, 'live');
}

/** Times, not ages: an age would hide the order of windows of one day. */
function rowOf(
  { startedAt, endedAt, cause, backfilledAt }: BlindWindow,
  now: EpochMs,
): readonly (Html | string)[] {
  const lasted = ageWords(Math.max(0, (endedAt ?? now) - startedAt));
  const read =
    backfilledAt === null ? (endedAt === null ? 'Not yet' : 'No') : html`Yes, at ${utcTag(backfilledAt)}`;
  return [utcTag(startedAt), endedAt === null ? `${lasted} so far` : lasted, CAUSE_WORDS[cause], read];
}

function dayStrip(days: readonly StatusDay[]): Html {
  const bars = days.map((day, index) => {
    const date = new Date(day.startedAt).toISOString().slice(0, 10);
    return html`<rect class="${toneOfDay(day)}" x="${index * 10}" y="0" width="7" height="28"
      ><title>${date}: ${dayWords(day)}</title></rect
    >`;
  });
  const missed = days.filter(({ missedMs }) => missedMs > 0).length;
  const watched = days.filter(({ isWatched }) => isWatched).length;
  const label = `One bar per day, the last is today: ${missed} of ${counted(watched, 'watched day')} had a blind window.`;
  return html`<figure class="stack">
    <svg class="days" viewBox="0 0 ${days.length * 10 - 3} 28" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
    <figcaption class="muted small">${label} Green: nothing was missed; amber: read afterwards; red: not read; grey: not watched. Days
      are UTC.</figcaption>
  </figure>`;
}

function toneOfDay({ isWatched, missedMs, unfilledMs }: StatusDay): string {
  if (!isWatched) return 'unwatched';
  return unfilledMs > 0 ? 'missed' : missedMs > 0 ? 'filled' : 'seen';
}

function dayWords({ isWatched, missedMs, unfilledMs }: StatusDay): string {
  if (!isWatched) return 'not watched';
  if (missedMs === 0) return 'no blind window';
  const missed = `${ageWords(missedMs)} blind or not confirmed`;
  return unfilledMs === 0
    ? `${missed}, read afterwards`
    : `${missed}, ${ageWords(unfilledMs)} not read afterwards`;
}

function meaning(): Html {
  const body = html`<p>
      A blind window is any time of more than 25 seconds in which trades may have been missed. When it is over, the
      market is asked for its trades; alerts from them state that they were found late. Windows are entered in
      the log: anyone who kept an earlier head can tell whether one was removed.
    </p>
    <p>
      The same data for programs, current to the second: <a href="/api/v1/coverage">/api/v1/coverage</a>. The stream sends
      <code>degraded</code> and <code>recovered</code>.
    </p>`;
  return section('meaning', 'What this means', body, 'prose');
}

interface StatusDay {
  readonly startedAt: EpochMs;
  readonly missedMs: number;
  readonly unfilledMs: number;
  /** False for a day before the service first watched the market. */
  readonly isWatched: boolean;
}

interface Watched {
  readonly windows: readonly BlindWindow[];
  readonly since: EpochMs | null;
  readonly now: EpochMs;
}

export function statusDays({ windows, since, now }: Watched, count: number): readonly StatusDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index): StatusDay => {
    const startedAt = today - (count - 1 - index) * DAY_MS;
    const msIn = ({ startedAt: from, endedAt }: BlindWindow) =>
      Math.max(0, Math.min(endedAt ?? now, startedAt + DAY_MS) - Math.max(from, startedAt));
    const sum = (some: readonly BlindWindow[]) => some.reduce((ms, window) => ms + msIn(window), 0);
    return {
      startedAt,
      missedMs: sum(windows),
      unfilledMs: sum(windows.filter(({ backfilledAt }) => backfilledAt === null)),
      isWatched: since !== null && since < startedAt + DAY_MS,
    };
  });
}
