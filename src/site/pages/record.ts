import { signedCents } from '../../core/base/text/formats.ts';
import type {
  RecordMean,
  RecordReport,
  RecordStage,
  WithdrawnVerdict,
} from '../../core/record/record-report.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { figureTiles } from '../parts/figures.ts';
import { utcTag } from '../parts/labels.ts';
import {
  bettorTable,
  centsOrDash,
  exitsTable,
  figureTables,
  groupTables,
  missingTables,
  toneOf,
} from './record-tables.ts';

const FRAME = {
  title: 'What the alerts were worth',
  description:
    'The record of all alerts: prices after them, payouts and results of followers, losses included.',
  path: '/record',
} as const;

export function recordPage(report: RecordReport | null): Page {
  const [newest, earlier] = report?.stages ?? [];
  return {
    ...FRAME,
    body: html`<div class="stack">
        <h1>${FRAME.title}</h1>
        ${report === null ? UNREAD : verdictPanel(report)} ${newest === undefined ? null : tilesOf(newest)}
      </div>
      ${report === null ? null : howToRead(report)} ${newest === undefined ? null : stageOf(newest)}
      ${earlier === undefined ? null : rehearsal(earlier)} ${filesOf()}`,
  };
}

const UNREAD = html`<p class="note warn">The record cannot be read at the moment. Try again in a minute.</p>`;

function verdictPanel({ conclusion, withdrawn, as_of: asOf, rules }: RecordReport): Html {
  return html`<section class="panel" aria-labelledby="verdict">
    <h2 id="verdict">What can be said</h2>
    <p class="lead">${conclusion}</p>
    ${withdrawn.map(withdrawal)}
    <p class="muted small">
      From what was known at ${utcTag(Date.parse(asOf))}, on the clock of the market;
      what is younger comes with the next record, within the hour.
      Rules ${rules.version}, <a href="/about#record">method in short</a>.
    </p>
  </section>`;
}

function withdrawal({
  stage,
  bettor,
  verdict,
  reached_at: reachedAt,
  withdrawn_at: at,
}: WithdrawnVerdict): Html {
  const test = bettor === 'bettor' ? 'the price a day later' : 'the payouts';
  return html`<p>
    Withdrawn: the record said “${verdict}” of ${test} (${stage}), reached on ${reachedAt.slice(0, 10)}. Corrected data
    undid it on ${at.slice(0, 10)}.
  </p>`;
}

function tilesOf({ figures, counts, bettor }: RecordStage): Html {
  const tile = (name: string, { mean, events }: RecordMean, more = '') => ({
    name,
    value: centsOrDash(mean),
    tone: toneOf(mean),
    note: mean === null ? 'a share; nothing is measured yet' : `a share; ${more}events: ${events}`,
  });
  const { low, high } = bettor;
  const ends = [low, high].map((end) => (end === null ? 'no end' : signedCents(end)));
  return figureTiles([
    tile('The price a day later', figures.move_24h, `96 % interval ${ends.join(' to ')}, `),
    tile('Payout minus price', figures.won_minus_price),
    tile('A follower with a Free key, after fees', figures.follower_free),
    {
      name: 'Alerts that count',
      value: counts.counted,
      note: `of ${counts.alerts.toLocaleString('en-US')} published; ${counts.move_24h.measured.toLocaleString('en-US')} have a price a day later`,
    },
  ]);
}

function howToRead({ plan }: RecordReport): Html {
  const body = html`<p>
      An alert could be worth something if the price rises after a reader could have bought. To test that, a bettor starts
      with $1 and bets on one alert at a time, for a day each, in twelve fixed ways of staking. If prices are fair, such
      a bettor gains nothing on average, however prices jump, and reaches $50 with a chance of at most one in fifty, ever.
      So $50 shows something, whenever one looks; anything less shows nothing. A second bettor takes the other side: if that
      one reaches $50, a reader who bought paid too much. Alerts from ${plan.starts_at} on count; what came before is a
      rehearsal with bettors of its own. The hash of the rules, which contain that day, is in <a href="/log">the log</a>.
    </p>
    <p>
      All other figures are means and describe: cents a share of 1 USDC, with one vote for each event. Losses are part
      of every figure.
    </p>`;
  return section('reading', 'How to read it', body, 'prose');
}

function stageOf(stage: RecordStage): Html {
  const figures = html`<p class="muted">${spanOf(stage)}</p>
    ${bettorTable(stage)} ${figureTables(stage)} ${exitsTable(stage)}`;
  const groups = html`<p class="prose muted">Parts have no verdicts: among so many, one looks good by chance.</p>
    ${groupTables(stage)}`;
  return html`${section('figures', 'Figures', figures)} ${section('groups', 'In parts', groups)}
    ${section('missing', 'What is missing', missingTables(stage))}`;
}

function spanOf({ stage, first_alert_at: first, last_alert_at: last }: RecordStage): string {
  const since = stage === 'plan' ? 'since the start of the plan' : 'from before the plan';
  return `Alerts ${since}: ${first.slice(0, 10)} to ${last.slice(0, 10)}.`;
}

/** Alerts from before the plan are other evidence: they are not added up. */
function rehearsal(stage: RecordStage): Html {
  const body = html`<p class="muted">${spanOf(stage)}</p>
    <p class="prose">${stage.conclusion}</p>
    ${tilesOf(stage)}`;
  return section('earlier', 'The rehearsal', body);
}

function filesOf(): Html {
  const body = html`<p>
    <a href="/record.json">The whole record (JSON)</a> · <a href="/record.csv">months (CSV)</a> ·
    <a href="/log">the log of everything that was published</a>. The record is computed from the log, the observed
    prices and the payouts of the market, by a method that was fixed before.
  </p>`;
  return section('files', 'Check it', body, 'prose');
}
