import { counted, signedCents } from '../../core/base/text/formats.ts';
import type {
  MoveBettor,
  RecordBettor,
  RecordReport,
  RecordStage,
  Verdict,
  WithdrawnVerdict,
} from '../../core/record/record-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import type { PageDataset } from '../linked-data.ts';
import { figureTiles } from '../parts/figures.ts';
import { utcTag } from '../parts/labels.ts';
import { numberColumn, tableOf } from '../parts/table.ts';

const FRAME = {
  title: 'What the alerts were worth',
  description: 'The record of all alerts: prices after them and payouts, losses included.',
  path: '/record',
  styles: ['record.css'],
} as const;

export function recordPage(report: RecordReport | null): Page {
  const [newest, earlier] = report?.stages ?? [];
  return {
    ...FRAME,
    topics: [TOPICS.alerts],
    datasets: datasetsOf(report),
    body: html`<div class="stack record" id="verdict" data-live>
        <h1>${FRAME.title}</h1>
        ${report === null ? UNREAD : verdict(report)}
        ${newest === undefined ? null : tilesOf(newest)}
        ${report === null ? null : sourceOf(report)}
      </div>
      ${report === null ? null : howToRead(report)} ${newest === undefined ? null : bettorsOf(newest)}
      ${earlier === undefined ? null : rehearsal(earlier)} ${FILES}`,
  };
}

function datasetsOf(report: RecordReport | null): readonly PageDataset[] {
  return [
    {
      name: 'Record of Tipoff’s alerts',
      description: FRAME.description,
      path: FRAME.path,
      ...(report !== null && { modifiedAt: report.as_of }),
      files: [['/record.json', 'application/json']],
    },
  ];
}

const UNREAD = html`<p class="note warn">The record cannot be read at the moment. Try again in a minute.</p>`;

function verdict({ conclusion, results, withdrawn }: RecordReport): Html {
  return html`<p class="lead">${conclusion}</p>
    ${results && html`<p>${results}</p>`}
    ${withdrawn.map(withdrawal)}`;
}

function sourceOf({ as_of: asOf, rules }: RecordReport): Html {
  return html`<p class="muted small">
    Updated ${utcTag(Date.parse(asOf))}; next within the hour. Rules ${rules.version}, <a href="/about#record">method in short</a>.
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

/** Right and wrong are side by side, and no mean is larger than what it rests on. */
function tilesOf({ counts, figures, bettor }: RecordStage): Html {
  const { won_minus_price: won, move_24h: move } = figures;
  return figureTiles([
    {
      name: 'The move of the price in a day: 96 % interval',
      value: intervalWords(bettor),
      note:
        bettor.mean === null
          ? 'Nothing is measured yet'
          : `The mean of the same test bets: ${signedCents(bettor.mean)} a share`,
      isWide: true,
    },
    { name: 'Right', value: counts.right, note: 'settled, and paid 100¢ a share' },
    { name: 'Wrong', value: counts.wrong, note: 'settled, and paid 0¢ a share' },
    {
      name: 'Alerts that count',
      value: counts.counted,
      note: `of ${counts.alerts.toLocaleString('en-US')} published; ${counts.settled.toLocaleString('en-US')} settled`,
    },
    {
      name: 'Could be measured',
      value: move.alerts,
      note: 'have a price a day later, as the test needs',
    },
    {
      name: 'Payout minus price',
      value: won.events > 1 ? `${centsOrDash(won.mean)} a share` : FEW_EVENTS[won.events === 1 ? 1 : 0],
      note: `mean of ${counted(won.events, 'event')}: ${centsOrDash(won.mean)}; of ${counted(won.alerts, 'alert')}: ${centsOrDash(won.per_alert)}`,
      isWide: true,
    },
  ]);
}

/** A mean of one event is no figure to be large. */
const FEW_EVENTS = ['Nothing is settled yet', 'One event only'] as const;

function intervalWords({ low, high }: MoveBettor): string {
  if (low === null && high === null) return 'No ends yet';
  if (low === null || high === null)
    return high === null ? `above ${signedCents(low ?? 0)}` : `below ${signedCents(high)}`;
  return `${signedCents(low)} to ${signedCents(high)}`;
}

function centsOrDash(mean: number | null): string {
  return mean === null ? '–' : signedCents(mean);
}

function howToRead({ plan }: RecordReport): Html {
  const body = html`<p>
      An alert could be worth something if the price rises after a reader could have bought. To test that, a hypothetical
      bankroll of $1 bets on one alert at a time, for a day each, in twelve fixed ways of staking. If prices are fair, it
      gains nothing on average, however prices jump, and reaches $50 with a chance of at most 1 in 50, ever. So $50 shows
      something, no matter when you look; anything less shows nothing. A second one bets against the alerts: if that one
      reaches $50, a reader who bought paid too much. Alerts from ${plan.starts_at} on count; what came before is a
      rehearsal with a bankroll of its own. The hash of the rules, which contain that day, is in the log.
    </p>
    <p>
      The means describe and have no verdict: cents per share of 1 USDC, with one vote for each event. Losses are part of
      every figure.
    </p>`;
  return section('reading', 'How to read it', body, 'prose');
}

function bettorsOf(stage: RecordStage): Html {
  const columns = [
    'A test bettor who begins with $1',
    numberColumn('Bets'),
    numberColumn('Open'),
    numberColumn('Has now'),
    numberColumn('Most ever'),
    numberColumn('Against the alerts: most ever'),
    numberColumn('Shows something at'),
    'Verdict',
  ];
  const rows = [
    bettorRow('One bet at a time, one day each: the verdict of the record', stage.bettor),
    bettorRow('Every counted alert, held to its payout', stage.holder),
  ];
  const body = html`<p class="muted">${spanOf(stage)}</p>
    ${tableOf('The bettors', columns, rows, 'stacked')}`;
  return section('figures', 'The bettors', body, 'live');
}

function bettorRow(name: string, { bets, open, bought, sold, threshold, verdict }: RecordBettor) {
  const dollars = (capital: number) => `$${capital.toFixed(2)}`;
  return [
    name,
    bets,
    open,
    dollars(bought.now),
    dollars(bought.highest),
    dollars(sold.highest),
    `$${threshold}`,
    VERDICT_WORDS[verdict],
  ];
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  not_shown: 'not shown',
  above: 'above: prices rose more than fair prices do',
  below: 'below: a reader who bought paid too much',
};

function spanOf({ stage, first_alert_at: first, last_alert_at: last }: RecordStage): string {
  const since = stage === 'plan' ? 'since the start of the plan' : 'from before the plan';
  return `Alerts ${since}: ${first.slice(0, 10)} to ${last.slice(0, 10)}.`;
}

/** Alerts from before the plan are other evidence: they are not added up. */
function rehearsal(stage: RecordStage): Html {
  const body = html`<p class="muted">${spanOf(stage)}</p>
    <p class="prose">${stage.conclusion}</p>
    ${tilesOf(stage)}`;
  return section('earlier', 'The rehearsal', body, 'live');
}

const FILES = section(
  'files',
  'Check it',
  html`<p>
    <a href="/record.json">The whole record (JSON)</a>. The record is
    computed from the log of everything that was published, the observed prices and the payouts of the market, by a method that was fixed before.
  </p>`,
  'prose',
);
