import type { RecordGroup, RecordPeriod, RecordVerdict } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { intervalsOn } from '../parts/figures.ts';
import { number, picture, tableOf } from '../parts/table.ts';
import {
  centsOrDash,
  DRIFT_COUNTS,
  FIGURE_GROUPS,
  FOLLOWER_COUNTS,
  groupWords,
  intervalWords,
  VERDICT_WORDS,
} from './record-words.ts';

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
