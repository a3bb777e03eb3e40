import { counted, signedCents } from '../../core/base/text/formats.ts';
import { plausibleWords } from '../../core/record/conclusion.ts';
import type { RecordReport, RecordStage, WithdrawnVerdict } from '../../core/record/record-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { bankrollChart, dollarsAndCents } from '../parts/bankroll-chart.ts';
import { utcTag } from '../parts/labels.ts';
import { tableOf } from '../parts/table.ts';

const FRAME = {
  title: 'Does following the alerts pay?',
  description: 'The record of all alerts: prices after them and payouts, losses included.',
  path: '/record',
} as const;

export function recordPage(report: RecordReport | null): Page {
  return {
    ...FRAME,
    topics: [TOPICS.alerts],
    styles: ['chart.css'],
    body: html`<div class="stack prose" id="verdict" data-live>
        <h1>${FRAME.title}</h1>
        ${report === null ? UNREAD : recordOf(report)}
      </div>`,
  };
}

const UNREAD = html`<p class="note warn">The record cannot be read at the moment. Try again in a minute.</p>`;

function recordOf({ conclusion, results, withdrawn, stages, as_of: asOf, rules }: RecordReport): Html {
  const [newest, earlier] = stages;
  return html`<p class="lead">${conclusion}</p>
    ${withdrawn.map(withdrawal)}
    ${newest && bankrollChart(newest)}
    ${results && html`<p><strong>${results}</strong></p>`}
    ${newest && figuresOf(newest)}
    ${earlier && html`<p class="muted">Before the test: ${earlier.conclusion}</p>`}
    <p class="muted small">
      Updated ${utcTag(Date.parse(asOf))}; next within the hour. Rules ${rules.version}. <a href="/record.json">The whole record as JSON</a>
    </p>`;
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
    Withdrawn: the record said “${verdict}” of ${test} (${stage}), reached on ${reachedAt.slice(0, 10)}. Corrected data reversed it on ${at.slice(0, 10)}.
  </p>`;
}

function figuresOf({ bettor, counts, figures }: RecordStage): Html {
  const { won_minus_price: won } = figures;
  const { bought, sold, threshold } = bettor;
  const rows = [
    ['Payout minus price, per bet', centsOrDash(won.per_alert), counted(won.alerts, 'settled bet')],
    ['Payout minus price, per event', centsOrDash(won.mean), counted(won.events, 'event')],
    [
      'Price a day later',
      centsOrDash(bettor.mean),
      `${counted(bettor.bets - bettor.open, 'test bet')}; ${plausibleWords(bettor)}`,
    ],
    ['Highest bankroll', dollarsAndCents(bought.highest), `evidence from $${threshold}`],
    ['Highest against the alerts', dollarsAndCents(sold.highest), `evidence from $${threshold}`],
  ];
  const { counted: first, alerts } = counts;
  return html`${tableOf('The figures', ['Figure', 'Result', 'From'], rows)}
    <p class="muted small">
      ${first.toLocaleString('en-US')} of ${counted(alerts, 'alert')} count: the first of each wallet, market and outcome. Only the bankrolls are a
      test. The rest are averages; they prove nothing.
    </p>`;
}

function centsOrDash(mean: number | null): string {
  return mean === null ? '–' : signedCents(mean);
}
