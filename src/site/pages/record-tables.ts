import { capitalised, signedCents } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import {
  type DriftCounts,
  type FigureName,
  type FollowerCounts,
  type RecordFigure,
  type RecordGroup,
  type RecordPeriod,
  type RecordVerdict,
  SCORE_BANDS,
  type Verdict,
} from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { intervalsOn } from '../parts/figures.ts';
import { TYPE_WORDS } from '../parts/labels.ts';
import { number, picture, tableOf } from '../parts/table.ts';

interface FigureGroup {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly (readonly [FigureName, string])[];
}

/** All figures of a period, by the questions that they answer (docs/method.md, "Figures"). */
const FIGURE_GROUPS: readonly FigureGroup[] = [
  {
    title: 'Did the price follow?',
    text: 'The move of the price after an alert was public, in the direction of the alert. Comparable buys are others of 250 USDC or more in the same markets, at about the same time and price.',
    rows: [
      ['impact', 'Before that: the move that the order itself made'],
      ['drift_1h', '1 hour later'],
      ['controls_drift_1h', '1 hour after comparable buys'],
      ['drift_1h_minus_controls', '1 hour later, against comparable buys'],
      ['drift_24h', '24 hours later'],
      ['controls_drift_24h', '24 hours after comparable buys'],
      ['drift_24h_minus_controls', '24 hours later, against comparable buys'],
      ['drift_24h_from_entry', '24 hours later, from the price of the order'],
    ],
  },
  {
    title: 'What did the outcomes pay?',
    text: 'Payout minus price of one share that is held until the market is settled. A follower buys after the alert reached them, at the price of that moment, and pays the fee of the market.',
    rows: [
      ['won_minus_price', 'At the price of the order'],
      ['position_won_minus_price', 'At the mean price of the position'],
      ['follower_pro', 'A follower with a Pro key, after fees'],
      ['follower_free', 'A follower with a Free key, after fees'],
    ],
  },
  {
    title: 'Would a simpler rule have done as well?',
    text: 'The same figures of large buys in these markets, whether they were alerts or not.',
    rows: [
      ['drift_24h_minus_rivals_1000', 'Alerts against all buys of 1,000 USDC or more, 24 hours later'],
      ['rivals_1000_drift_24h', 'Buys of 1,000 USDC or more, 24 hours later'],
      ['rivals_1000_won_minus_price', 'The same: payout minus price'],
      ['rivals_5000_drift_24h', 'Buys of 5,000 USDC or more, 24 hours later'],
      ['rivals_5000_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_usdc_drift_24h', 'As many of the largest buys, 24 hours later'],
      ['rivals_by_usdc_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_profit_at_stake_drift_24h', 'As many with the most profit at stake, 24 hours later'],
      ['rivals_by_profit_at_stake_won_minus_price', 'The same: payout minus price'],
    ],
  },
];

/** Two years; the CSV has all. */
const MONTHS = 24;

export function figureTables({ figures }: Pick<RecordPeriod, 'figures'>): readonly Html[] {
  const columns = [
    ...['Figure', number('Mean a share'), number('95 % interval')],
    ...[picture('The same as a picture'), number('Events'), number('Trades')],
  ];
  return FIGURE_GROUPS.map(({ title, text, rows }) => {
    const plot = intervalsOn(rows.map(([name]) => figures[name]));
    const cells = rows.map(([name, words]) => {
      const figure = figures[name];
      const { mean, events, alerts } = figure;
      return [words, centsOrDash(mean), intervalWords(figure), plot(figure), events, alerts];
    });
    return tablePart(title, tableOf(title, columns, cells), text);
  });
}

function tablePart(title: string, table: Html, text: string | null = null): Html {
  return html`<div class="stack part">
    <h3>${title}</h3>
    ${text === null ? null : html`<p class="prose muted">${text}</p>`}
    ${table}
  </div>`;
}

/** A period in parts: by month, newest first, kind, score and category. */
export function groupTables({ groups }: Pick<RecordPeriod, 'groups'>): readonly Html[] {
  const months = groups.months.toReversed().slice(0, MONTHS);
  return [
    groupTable('By month of publication (UTC)', months),
    groupTable('By kind of alert', groups.types),
    groupTable('By score', groups.bands),
    groupTable('By category', groups.categories),
  ];
}

function groupTable(title: string, groups: readonly RecordGroup[]): Html {
  const plot = intervalsOn(groups.map(({ won_minus_price: won }) => won));
  const rows = groups.map(({ name, alerts, events, won_minus_price: won, ...group }) => {
    const drift = centsOrDash(group.drift_24h_minus_controls.mean);
    return [groupWords(name), alerts, events, drift, centsOrDash(won.mean), plot(won)];
  });
  const columns = [
    'Alerts',
    ...['Counted', 'Events', '24 h, against comparable buys', 'Payout minus price'].map(number),
    picture('The last column as a picture'),
  ];
  return tablePart(title, tableOf(title, columns, rows));
}

export function verdictTable({ day, comparisons }: RecordVerdict): Html {
  const rows = comparisons.map(({ text, verdict, p_adjusted: p, blocks }) => {
    return [text, VERDICT_WORDS[verdict], p === null ? '–' : p.toFixed(3), blocks];
  });
  const columns = ['Comparison', 'Verdict', number('Adjusted p'), number('Blocks')];
  const title = `Verdict of ${day}`;
  return tablePart(title, tableOf(title, columns, rows));
}

export function missingTable({ counts }: Pick<RecordPeriod, 'counts'>): Html {
  const { drift_24h: drift, follower_free: free, follower_pro: pro } = counts;
  const rows = [
    ...Object.entries(DRIFT_COUNTS).map(([key, words]) => [words, drift[key as keyof typeof drift], '', '']),
    ['Not observed', drift.unobserved, free.unobserved, pro.unobserved],
    ...Object.entries(FOLLOWER_COUNTS).map(([key, words]) => {
      return [words, '', free[key as keyof typeof free], pro[key as keyof typeof pro]];
    }),
  ];
  const title = 'What became of the counted alerts';
  const columns = ['Counted alerts', ...['Price a day later', 'Free follower', 'Pro follower'].map(number)];
  return tablePart(title, tableOf(title, columns, rows));
}

/** What became of the prices after counted alerts that were observed. */
const DRIFT_COUNTS: Readonly<Record<Exclude<keyof DriftCounts, 'unobserved'>, string>> = {
  measured: 'Measured',
  pending: 'The 24 hours are not over',
  stale: 'No order within an hour: no price',
};
/** The same of their followers. */
const FOLLOWER_COUNTS: Readonly<Record<Exclude<keyof FollowerCounts, 'unobserved'>, string>> = {
  settled: 'Bought, and the market is settled',
  settlement: 'Bought, and the market is open',
  waiting: 'The hour to buy is not over',
  not_fillable: 'No sale within the hour',
  fee_unknown: 'Fee unknown',
};

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  too_few: 'too few to say',
  not_shown: 'not shown to differ',
  above: 'above',
  below: 'below',
};

function groupWords(name: string): string {
  const type = ALERT_TYPES.find((each) => each === name);
  if (type !== undefined) return TYPE_WORDS[type];
  const band = SCORE_BANDS.find((each) => each.band === name);
  if (band !== undefined) return `Score of ${band.from} or more: ${name.replaceAll('_', ' ')}`;
  return capitalised(name.replaceAll('_', ' '));
}

/** `−1.2¢`; a dash where there is nothing to measure. */
export function centsOrDash(mean: number | null): string {
  return mean === null ? '–' : signedCents(mean);
}

/** `−2.0¢ to +0.4¢`; a dash where there is no interval. */
export function intervalWords({ low, high }: Pick<RecordFigure, 'low' | 'high'>): string {
  return low === null || high === null ? '–' : `${signedCents(low)} to ${signedCents(high)}`;
}

/** The tone of a mean: losses look as plain as gains. */
export function toneOf(mean: number | null): 'right' | 'wrong' | null {
  return mean === null || mean === 0 ? null : mean > 0 ? 'right' : 'wrong';
}
