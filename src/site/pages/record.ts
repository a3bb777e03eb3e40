import type { RecordFigure, RecordPeriod, RecordReport } from '../../core/record/record-report.ts';
import { FEWEST_BLOCKS } from '../../core/record/verdict.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { figureTiles } from '../parts/figures.ts';
import { utcTag } from '../parts/labels.ts';
import {
  centsOrDash,
  figureTables,
  groupTables,
  intervalWords,
  missingTable,
  toneOf,
  verdictTable,
} from './record-tables.ts';

const FRAME = {
  title: 'What the alerts were worth',
  description:
    'The record of all alerts: prices after them, payouts and results of followers, losses included.',
  path: '/record',
} as const;

/** The record in words, then in figures. Null: the record could not be read yet. */
export function recordPage(report: RecordReport | null): Page {
  const [newest, ...earlier] = report?.periods ?? [];
  return {
    ...FRAME,
    body: html`<div class="stack">
        <h1>${FRAME.title}</h1>
        ${report === null ? UNREAD : verdictPanel(report)} ${newest === undefined ? null : tilesOf(newest)}
      </div>
      ${report === null ? null : howToRead(report)} ${newest === undefined ? null : periodOf(newest)}
      ${earlier.length === 0 ? null : earlierPeriods(earlier)} ${filesOf()}`,
  };
}

const UNREAD = html`<p class="note warn">The record cannot be read at the moment. Try again in a minute.</p>`;

function verdictPanel({ conclusion, periods, as_of: asOf, rules }: RecordReport): Html {
  const begin =
    periods.length === 0
      ? html`<p>
          There is no counted alert yet. From the first one on this page has figures; from ${FEWEST_BLOCKS} independent
          blocks of events on, it has verdicts.
        </p>`
      : null;
  return html`<section class="panel" aria-labelledby="verdict">
    <h2 id="verdict">What can be said</h2>
    <p class="lead">${conclusion}</p>
    ${begin}
    <p class="muted small">
      From what was known at ${utcTag(Date.parse(asOf))}, on the clock of the market;
      what is younger comes with the next record, within the hour.
      Rules ${rules.version}, <a href="/about#record">method in short</a>.
    </p>
  </section>`;
}

function tilesOf({ figures, counts }: RecordPeriod): Html {
  const tile = (name: string, figure: RecordFigure) => ({
    name,
    value: centsOrDash(figure.mean),
    tone: toneOf(figure.mean),
    note:
      figure.mean === null
        ? 'a share; nothing is measured yet'
        : `a share; 95 % interval ${intervalWords(figure)}, events: ${figure.events}`,
  });
  return figureTiles([
    tile('A day later, against other buys', figures.drift_24h_minus_controls),
    tile('Payout minus price', figures.won_minus_price),
    tile('A follower with a Free key, after fees', figures.follower_free),
    {
      name: 'Alerts that count',
      value: counts.counted,
      note: `of ${counts.alerts.toLocaleString('en-US')} published; ${counts.blocks} independent blocks, ${FEWEST_BLOCKS} are needed`,
    },
  ]);
}

function howToRead({ plan }: RecordReport): Html {
  const body = html`<p>
      An alert could be worth something if the price moves in its direction after it is public, more than after other
      buys in the same market. That is the primary figure. It, four others, their weights and the days of verdicts were
      fixed before the first alert that counts: ${plan.verdict_days.join(', ')}, for alerts from ${plan.starts_at} on. The
      hash of this plan is in <a href="/log">the log</a>.
    </p>
    <p>
      All figures are cents a share of 1 USDC, and each event has one vote. An interval that contains 0 fits an alert
      that is worth nothing; one without an interval (–) has fewer than two independent blocks of events. On a verdict day the record says one of four things: too few to say, not shown to differ
      from the price, above, or below. Losses are part of every figure.
    </p>`;
  return section('reading', 'How to read it', body, 'prose');
}

function periodOf(period: RecordPeriod): Html {
  const verdicts = period.verdicts.map(verdictTable);
  const figures = html`<p class="muted">${spanOf(period)}</p>
    ${figureTables(period)}`;
  const groups = html`<p class="prose muted">Parts have no verdicts: among so many, one looks good by chance.</p>
    ${groupTables(period)}`;
  return html`${verdicts.length === 0 ? null : section('verdicts', 'Verdicts', verdicts)}
    ${section('figures', 'Figures', figures)} ${section('groups', 'In parts', groups)}
    ${section('missing', 'What is missing', missingTable(period))}`;
}

function spanOf({
  rule_version: version,
  stage,
  first_alert_at: first,
  last_alert_at: last,
}: RecordPeriod): string {
  const since = stage === 'plan' ? 'since the start of the plan' : 'from before the plan';
  return `Alerts of rules ${version}, ${since}: ${first.slice(0, 10)} to ${last.slice(0, 10)}.`;
}

/** Alerts of other rules are other evidence: they are not added up. */
function earlierPeriods(periods: readonly RecordPeriod[]): Html {
  const parts = periods.map(
    (period) =>
      html`<div class="stack">
        <h3>${spanOf(period)}</h3>
        <p class="prose">${period.conclusion}</p>
        ${tilesOf(period)}
      </div>`,
  );
  return section('earlier', 'Earlier rules', parts);
}

function filesOf(): Html {
  const body = html`<p>
    <a href="/record.json">The whole record (JSON)</a> · <a href="/record.csv">months (CSV)</a> ·
    <a href="/log">the log of everything that was published</a>. The record is computed from the log, the observed
    prices and the payouts of the market, without anything that was chosen afterwards.
  </p>`;
  return section('files', 'Check it', body, 'prose');
}
