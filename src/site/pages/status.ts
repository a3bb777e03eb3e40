import { counted, grouped, timeSpan, utcDay } from '../../core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { type BlindWindow, CAUSE_WORDS } from '../../core/trades/coverage/blind-window.ts';
import type { CoverageSummary, FeedView } from '../../core/trades/coverage/coverage-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { timeTag, utcTag } from '../parts/labels.ts';
import type { SiteDeps } from '../site.ts';
import { headlineOf } from './status-words.ts';

export const STATUS_DAYS = 90;
const SHOWN_GAPS = 10;

interface StatusModel {
  readonly source: SiteDeps['source'];
  readonly view: FeedView;
  readonly span: CoverageSummary;
  readonly now: EpochMs;
}

export function statusPage(model: StatusModel): Page {
  const { view, source, now } = model;
  const { text, more, tone } = headlineOf(view, source);
  // Before the first answer of the market there is nothing to say of any day.
  const wasSeen = view.confirmedUntil !== null || model.span.count > 0;
  return {
    title: 'Status',
    description: 'Whether the service sees the market now, and when it did not.',
    path: '/status',
    topics: [TOPICS.alerts, TOPICS.feed],
    body: html`<div class="stack prose" id="now" data-live>
        <h1>Status</h1>
        <section class="panel" aria-labelledby="state">
          <h2 class="${tone}" id="state">${text}</h2>
          <p>${more}</p>
          <p class="muted small">As of ${timeTag(now)}.</p>
        </section>
      </div>
      ${wasSeen ? gapsOf(model) : null}`,
  };
}

function gapsOf({ span: { windows, count }, view, now }: StatusModel): Html {
  const days = statusDays({ windows, since: view.since, now }, STATUS_DAYS);
  const shown = windows.slice(0, SHOWN_GAPS).map((window) => gap(window, now));
  const body = html`<div class="stack prose">
    ${dayStrip(days)}
    ${shown.length === 0 ? html`<p>There was none.</p>` : html`<ul>${shown}</ul>`}
    <p class="muted small">
      When trades may have been missed for more than 25 seconds, we read them later and mark their alerts as late.
      <a href="/api/v1/coverage?limit=100">${count > shown.length ? `All ${grouped(count)} gaps` : 'The same'} as JSON</a>
    </p>
  </div>`;
  return section('gaps', 'The last gaps', body, 'live');
}

/** Times, not ages: an age would hide the order of gaps of one day. */
function gap({ startedAt, endedAt, cause, backfilledAt }: BlindWindow, now: EpochMs): Html {
  const lasted = timeSpan(Math.max(0, (endedAt ?? now) - startedAt));
  const words = html`${utcTag(startedAt)}, ${lasted}${endedAt === null ? ' so far' : null}. ${CAUSE_WORDS[cause]}`;
  if (endedAt === null) return html`<li>${words}</li>`;
  const read = backfilledAt === null ? 'Still missing.' : 'Read later.';
  return html`<li>${words} ${read}</li>`;
}

function dayStrip(days: readonly StatusDay[]): Html {
  const bars = days.map((day, index) => {
    const date = utcDay(day.startedAt);
    return html`<rect class="${toneOfDay(day)}" x="${index * 10}" y="0" width="7" height="28"
      ><title>${date}: ${dayWords(day)}</title></rect
    >`;
  });
  const missed = days.filter(({ missedMs }) => missedMs > 0).length;
  const watched = days.filter(({ isWatched }) => isWatched).length;
  const label = `The last ${days.length} days: ${missed} of ${counted(watched, 'watched day')} had a gap.`;
  return html`<figure class="stack">
    <svg class="days" viewBox="0 0 ${days.length * 10 - 3} 28" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
    <figcaption class="muted small">${label} Green: nothing missed; amber: read later; red: still missing; grey: not watched.</figcaption>
  </figure>`;
}

function toneOfDay({ isWatched, missedMs, unfilledMs }: StatusDay): string {
  if (!isWatched) return 'muted';
  return unfilledMs > 0 ? 'wrong' : missedMs > 0 ? 'warn' : 'right';
}

function dayWords({ isWatched, missedMs, unfilledMs }: StatusDay): string {
  if (!isWatched) return 'not watched';
  if (missedMs === 0) return 'no gap';
  return unfilledMs === 0
    ? `${timeSpan(missedMs)} read later`
    : `${timeSpan(missedMs)} missed, ${timeSpan(unfilledMs)} still missing`;
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
