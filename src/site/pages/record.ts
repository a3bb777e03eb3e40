import { counted, signedCents } from '../../core/base/text/formats.ts';
import type {
  MoveBettor,
  RecordReport,
  RecordStage,
  WithdrawnVerdict,
} from '../../core/record/record-report.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import type { PageDataset } from '../linked-data.ts';
import { newsLine } from '../parts/alert-row.ts';
import { capitalChart } from '../parts/capital-chart.ts';
import { figureTiles } from '../parts/figures.ts';
import { utcTag } from '../parts/labels.ts';
import {
  bettorTable,
  centsOrDash,
  centsScale,
  exitsTable,
  figureTables,
  groupTables,
  missingTables,
} from './record-tables.ts';

const FRAME = {
  title: 'What the alerts were worth',
  description:
    'The record of all alerts: prices after them, payouts and results of followers, losses included.',
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
        ${report === null || newest === undefined ? null : overview(newest, report)}
        ${report === null ? null : sourceOf(report)}
      </div>
      ${report === null ? null : howToRead(report)} ${newest === undefined ? null : stageOf(newest)}
      ${earlier === undefined ? null : rehearsal(earlier)} ${filesOf()}
      ${newsLine('alert', 'edge')}`,
  };
}

function datasetsOf(report: RecordReport | null): readonly PageDataset[] {
  return [
    {
      name: 'Record of Tipoff’s alerts',
      description: FRAME.description,
      path: FRAME.path,
      ...(report !== null && { modifiedAt: report.as_of }),
      files: [
        ['/record.json', 'application/json'],
        ['/record.csv', 'text/csv'],
      ],
    },
  ];
}

const UNREAD = html`<p class="note warn">The record cannot be read at the moment. Try again in a minute.</p>`;

function verdict({ conclusion, results, withdrawn }: RecordReport): Html {
  return html`<p class="lead">${conclusion}</p>
    ${results && html`<p>${results}</p>`}
    ${withdrawn.map(withdrawal)}`;
}

/** What a reader sees first: the capital, and what it and the results rest on. */
function overview(stage: RecordStage, { as_of: asOf }: RecordReport): Html {
  return html`<div class="columns">${capitalChart(stage.bettor, Date.parse(asOf))} ${tilesOf(stage)}</div>`;
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
function tilesOf(stage: RecordStage): Html {
  const { counts, figures, bettor } = stage;
  const { won_minus_price: won } = figures;
  const scale = centsScale(stage);
  const of = (events: number) => `mean of ${counted(events, 'event')}`;
  return figureTiles([
    {
      name: 'The move of the price in a day: 96 % interval',
      value: intervalWords(bettor),
      note: html`${scale.draw({ ...bettor, events: bettor.bets })}<span class="ends">${scale.ends.join(' ')}</span>${
        bettor.mean === null
          ? 'Nothing is measured yet'
          : html`The point is the mean of the same test bets: ${signedCents(bettor.mean)} a share`
      }`,
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
      value: counts.move_24h.measured,
      note: 'have a price a day later, as the test needs',
    },
    {
      name: 'Payout minus price',
      value: won.events > 1 ? `${centsOrDash(won.mean)} a share` : FEW_EVENTS[won.events === 1 ? 1 : 0],
      note: `${of(won.events)}: ${centsOrDash(won.mean)}; of ${counted(won.alerts, 'alert')}: ${centsOrDash(won.per_alert)}`,
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
      All other figures are means and describe: cents per share of 1 USDC, with one vote for each event. Losses are part
      of every figure.
    </p>`;
  return section('reading', 'How to read it', body, 'prose');
}

function stageOf(stage: RecordStage): Html {
  const scale = centsScale(stage);
  const figures = html`<p class="muted">${spanOf(stage)}</p>
    <p class="prose">
      All pictures have one scale, ${scale.ends[0]} to ${scale.ends[2]} a share, with 0 in the middle; only sums in dollars
      have their own. A hollow point is the mean of a single event.
    </p>
    ${bettorTable(stage)} ${figureTables(stage, scale)} ${exitsTable(stage)}`;
  const groups = html`<p class="prose muted">Parts have no verdicts: among so many, one looks good by chance.</p>
    <details class="more">
      <summary>By month, kind, score, category and version of the rules</summary>
      ${groupTables(stage, scale)}
    </details>`;
  return html`${section('figures', 'Figures', figures, 'live')} ${section('groups', 'In parts', groups, 'live')}
    ${section('missing', 'What is missing', missingTables(stage), 'live')}`;
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
  return section('earlier', 'The rehearsal', body, 'live');
}

function filesOf(): Html {
  const body = html`<p>
    <a href="/record.json">The whole record (JSON)</a> · <a href="/record.csv">months (CSV)</a>.
    The record is computed from the log of everything that was published, the observed prices and the payouts of the market, by a method that was fixed before.
  </p>`;
  return section('files', 'Check it', body, 'prose');
}
