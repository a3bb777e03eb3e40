import { SCORE_BANDS, TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import { capitalised, counted, signedCents, signedDollars } from '../../core/base/text/formats.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import type {
  FigureName,
  FollowerCounts,
  MoveCounts,
  RecordBettor,
  RecordGroup,
  RecordStage,
  Verdict,
} from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { type Scale, scaleOf } from '../parts/figures.ts';
import { numberColumn, pictureColumn, tableOf } from '../parts/table.ts';

/** Two years; the CSV has all. */
const MONTHS = 24;

export function bettorTable({ bettor, holder }: RecordStage): Html {
  const columns = [
    'A test bettor who begins with $1',
    ...['Bets', 'Open', 'Has now', 'Most ever', 'Against the alerts: most ever'].map(numberColumn),
    ...[numberColumn('Shows something at'), 'Verdict'],
  ];
  return titled('The bettors', columns, [
    bettorRow('One bet at a time, one day each: the verdict of the record', bettor),
    bettorRow('Every counted alert, held to its payout', holder),
  ]);
}

function bettorRow(name: string, { bets, open, bought, sold, threshold, verdict }: RecordBettor) {
  const capital = [bought.now, bought.highest, sold.highest].map((usd) => `$${usd.toFixed(2)}`);
  return [name, bets, open, ...capital, `$${threshold}`, VERDICT_WORDS[verdict]];
}

/** One scale for all means and the interval of a stage. */
export function centsScale({ figures, groups, bettor }: RecordStage): Scale {
  const means = [
    ...Object.values(figures),
    ...Object.values(groups).flatMap((group) => group.map(({ won_minus_price: won }) => won)),
  ].map(({ mean }) => mean);
  const words = (value: number) => `${value < 0 ? '−' : '+'}${Math.round(Math.abs(value) * 100)}¢`;
  return scaleOf([...means, bettor.low, bettor.high], words);
}

export function figureTables({ figures }: Pick<RecordStage, 'figures'>, scale: Scale): readonly Html[] {
  const columns = [
    ...['Figure', numberColumn('Mean of events'), pictureColumn('The same as a picture', scale)],
    ...[numberColumn('Mean of trades'), numberColumn('Events'), numberColumn('Trades')],
  ];
  return FIGURE_GROUPS.map(({ title, text, rows }) => {
    const cells = rows.map(([name, words]) => {
      const { mean, per_alert, events, alerts } = figures[name];
      return [words, centsOrDash(mean), scale.draw(figures[name]), centsOrDash(per_alert), events, alerts];
    });
    return titled(title, columns, cells, text);
  });
}

export function groupTables({ groups }: Pick<RecordStage, 'groups'>, scale: Scale): readonly Html[] {
  const months = groups.months.toReversed().slice(0, MONTHS);
  return [
    groupTable('By month of publication (UTC)', months, scale),
    groupTable('By kind of alert', groups.types, scale),
    groupTable('By score', groups.bands, scale),
    groupTable('By category', groups.categories, scale),
    groupTable('By version of the rules', groups.rules, scale),
  ];
}

/** Without a verdict: whoever sold did not know the end. */
export function exitsTable({ exits }: Pick<RecordStage, 'exits'>): Html {
  const { positions, realized_usdc: realized, held_usdc: held } = exits;
  const scale = scaleOf([realized, held], signedDollars);
  const row = (name: string, usdc: number) => [
    ...[name, signedDollars(usdc), scale.draw({ mean: usdc, events: positions })],
  ];
  return titled(
    'Sold before the end',
    [counted(positions, 'position'), numberColumn('Profit'), pictureColumn('The same as a picture', scale)],
    [row('Realised by selling', realized), row('The same shares, held to the settlement', held)],
    'Positions of wallets in settled markets that fell below half, or below 5 %, by sales on the market; before fees. Hedges, merges and transfers are not in these sums.',
  );
}

function groupTable(title: string, groups: readonly RecordGroup[], scale: Scale): Html {
  const rows = groups.map(({ name, alerts, events, move_24h: move, won_minus_price: won }) => [
    ...[groupWords(name), alerts, events, centsOrDash(move.mean), centsOrDash(won.mean), scale.draw(won)],
  ]);
  const columns = [
    ...['Alerts', numberColumn('Counted'), numberColumn('Events'), numberColumn('24 h later')],
    ...[numberColumn('Payout minus price'), pictureColumn('The last column as a picture', scale)],
  ];
  return titled(title, columns, rows);
}

export function missingTables({ counts, coverage }: RecordStage): readonly Html[] {
  const { move_24h: move, follower_free: free, follower_pro: pro } = counts;
  const columns = [
    'Counted alerts',
    ...['Price a day later', 'Free follower', 'Pro follower'].map(numberColumn),
  ];
  const rows = [
    ...MOVE_COUNTS.map(([key, words]) => [words, move[key], '', '']),
    ...FOLLOWER_COUNTS.map(([key, words]) => [words, '', free[key], pro[key]]),
    ['Not observed', move.unobserved, free.unobserved, pro.unobserved],
  ];
  const compared = [
    ['With a price a day later', coverage.measured],
    ['All others', coverage.rest],
  ] as const;
  return [
    titled('What became of the counted alerts', columns, rows),
    titled(
      'Are the measured alerts like the others?',
      ['Settled alerts', numberColumn('Payout minus price, mean of alerts'), numberColumn('Alerts')],
      compared.map(([name, { per_alert, alerts }]) => [name, centsOrDash(per_alert), alerts]),
    ),
  ];
}

function titled(title: string, ...table: [columns: Table[1], rows: Table[2], text?: string]): Html {
  const [columns, rows, text = null] = table;
  return html`<div class="stack part">
    <h3>${title}</h3>
    ${text === null ? null : html`<p class="prose muted">${text}</p>`}
    ${tableOf(title, columns, rows, 'stacked')}
  </div>`;
}

type Table = Parameters<typeof tableOf>;

interface FigureGroup {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly (readonly [FigureName, string])[];
}

/** All figures of a stage, by the questions that they answer (docs/method.md, "Figures"). */
const FIGURE_GROUPS: readonly FigureGroup[] = [
  {
    title: 'Did the price follow?',
    text: 'The move of the price after a reader could have bought, in the direction of the alert. Comparable buys are all others of 250 USDC or more of the same outcome, by older wallets, at about the same time and price. They describe the market; they contain the move that led to the alert, so they decide nothing.',
    rows: [
      ['impact', 'Before that: from the last price before the order to the price that a reader could pay'],
      ['move_1h', '1 hour later'],
      ['move_24h', '24 hours later'],
      ['controls_move_24h', '24 hours after comparable buys'],
      ['move_24h_minus_controls', '24 hours later, against comparable buys'],
      ['move_24h_from_entry', '24 hours later, from the price of the order'],
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
      ['rivals_1000_move_24h', 'Buys of 1,000 USDC or more, 24 hours later'],
      ['rivals_1000_won_minus_price', 'The same: payout minus price'],
      ['rivals_5000_move_24h', 'Buys of 5,000 USDC or more, 24 hours later'],
      ['rivals_5000_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_usdc_move_24h', 'The largest buys, as many as alerts, 24 hours later'],
      ['rivals_by_usdc_won_minus_price', 'The same: payout minus price'],
      ['rivals_by_to_win_move_24h', 'The buys with the most to win, as many as alerts, 24 hours later'],
      ['rivals_by_to_win_won_minus_price', 'The same: payout minus price'],
    ],
  },
];

const MOVE_COUNTS: readonly (readonly [Exclude<keyof MoveCounts, 'unobserved'>, string])[] = [
  ['measured', 'Measured'],
  ['pending', 'The 24 hours are not over'],
  ['no_price', 'No order within an hour: no price that a reader could pay'],
];

const FOLLOWER_COUNTS: readonly (readonly [Exclude<keyof FollowerCounts, 'unobserved'>, string])[] = [
  ['settled', 'Bought, and the market is settled'],
  ['settlement', 'Bought, and the market is open'],
  ['waiting', 'The hour to buy is not over'],
  ['not_fillable', 'No sale within the hour'],
  ['fee_unknown', 'Fee unknown'],
];

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  not_shown: 'not shown',
  above: 'above: prices rose more than fair prices do',
  below: 'below: a reader who bought paid too much',
};

function groupWords(name: string): string {
  const type = ALERT_TYPES.find((each) => each === name);
  if (type !== undefined) return TYPE_NAMES[type];
  const band = SCORE_BANDS.find((each) => each.band === name);
  if (band !== undefined) return `Score of ${band.from} or more: ${band.word}`;
  return capitalised(name.replaceAll('_', ' '));
}

export function centsOrDash(mean: number | null): string {
  return mean === null ? '–' : signedCents(mean);
}
