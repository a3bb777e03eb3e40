import type { RecordBettor, RecordGroup, RecordStage } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { meansOn } from '../parts/figures.ts';
import { numberColumn, pictureColumn, tableOf } from '../parts/table.ts';
import {
  centsOrDash,
  FIGURE_GROUPS,
  FOLLOWER_COUNTS,
  groupWords,
  MOVE_COUNTS,
  VERDICT_WORDS,
} from './record-words.ts';

/** Two years; the CSV has all. */
const MONTHS = 24;

export function bettorTable({ bettor, holder }: RecordStage): Html {
  const columns = [
    ...[
      'A test bettor who begins with $1',
      numberColumn('Bets'),
      numberColumn('Open'),
      numberColumn('Has now'),
      numberColumn('Most ever'),
    ],
    ...[numberColumn('Against the alerts: most ever'), numberColumn('Shows something at'), 'Verdict'],
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

export function figureTables({ figures }: Pick<RecordStage, 'figures'>): readonly Html[] {
  const columns = [
    ...['Figure', numberColumn('Mean of events'), pictureColumn('The same as a picture')],
    ...[numberColumn('Mean of trades'), numberColumn('Events'), numberColumn('Trades')],
  ];
  return FIGURE_GROUPS.map(({ title, text, rows }) => {
    const plot = meansOn(rows.map(([name]) => figures[name].mean));
    const cells = rows.map(([name, words]) => {
      const { mean, per_alert, events, alerts } = figures[name];
      return [words, centsOrDash(mean), plot(mean), centsOrDash(per_alert), events, alerts];
    });
    return titled(title, columns, cells, text);
  });
}

export function groupTables({ groups }: Pick<RecordStage, 'groups'>): readonly Html[] {
  const months = groups.months.toReversed().slice(0, MONTHS);
  return [
    groupTable('By month of publication (UTC)', months),
    groupTable('By kind of alert', groups.types),
    groupTable('By score', groups.bands),
    groupTable('By category', groups.categories),
    groupTable('By version of the rules', groups.rules),
  ];
}

function groupTable(title: string, groups: readonly RecordGroup[]): Html {
  const plot = meansOn(groups.map(({ won_minus_price: { mean } }) => mean));
  const rows = groups.map(({ name, alerts, events, move_24h: move, won_minus_price: won }) => [
    ...[groupWords(name), alerts, events, centsOrDash(move.mean), centsOrDash(won.mean), plot(won.mean)],
  ]);
  const columns = [
    ...['Alerts', numberColumn('Counted'), numberColumn('Events'), numberColumn('24 h later')],
    ...[numberColumn('Payout minus price'), pictureColumn('The last column as a picture')],
  ];
  return titled(title, columns, rows);
}

export function missingTables({ counts, coverage }: RecordStage): readonly Html[] {
  const { move_24h: move, follower_free: free, follower_pro: pro } = counts;
  const columns = [
    ...[
      'Counted alerts',
      numberColumn('Price a day later'),
      numberColumn('Free follower'),
      numberColumn('Pro follower'),
    ],
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
    ${tableOf(title, columns, rows)}
  </div>`;
}

type Table = Parameters<typeof tableOf>;
