import type { RecordGroup, RecordPeriod, RecordVerdict } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { intervalsOn } from '../parts/figures.ts';
import { tableOf } from '../parts/table.ts';
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

/** All figures of a period, a table for each question. */
export function figureTables({ figures }: Pick<RecordPeriod, 'figures'>): readonly Html[] {
  return FIGURE_GROUPS.map(({ title, text, rows }) => {
    const plot = intervalsOn(rows.map(([name]) => figures[name]));
    const cells = rows.map(([name, words]) => {
      const figure = figures[name];
      const { mean, events, alerts } = figure;
      return [
        words,
        centsOrDash(mean),
        intervalWords(figure),
        plot(figure),
        events.toLocaleString('en-US'),
        alerts.toLocaleString('en-US'),
      ];
    });
    const columns = [
      { name: 'Figure' },
      { name: 'Mean a share', isNumber: true },
      { name: '95 % interval', isNumber: true },
      { name: 'The same as a picture', isPicture: true },
      { name: 'Events', isNumber: true },
      { name: 'Trades', isNumber: true },
    ];
    return html`<div class="stack part">
      <h3>${title}</h3>
      <p class="prose muted">${text}</p>
      ${tableOf({ name: title, columns, rows: cells })}
    </div>`;
  });
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
  const rows = groups.map(({ name, alerts, events, won_minus_price: won, ...group }) => [
    groupWords(name),
    alerts.toLocaleString('en-US'),
    events.toLocaleString('en-US'),
    centsOrDash(group.drift_24h_minus_controls.mean),
    centsOrDash(won.mean),
    plot(won),
  ]);
  const columns = [
    { name: 'Alerts' },
    { name: 'Counted', isNumber: true },
    { name: 'Events', isNumber: true },
    { name: '24 h, against comparable buys', isNumber: true },
    { name: 'Payout minus price', isNumber: true },
    { name: 'The last column as a picture', isPicture: true },
  ];
  return html`<div class="stack part">
    <h3>${title}</h3>
    ${tableOf({ name: title, columns, rows })}
  </div>`;
}

/** What was said at a verdict day, one comparison a row. */
export function verdictTable({ day, comparisons }: RecordVerdict): Html {
  const rows = comparisons.map(({ text, verdict, p_adjusted: p, blocks }) => [
    text,
    VERDICT_WORDS[verdict],
    p === null ? '–' : p.toFixed(3),
    blocks.toLocaleString('en-US'),
  ]);
  const columns = [
    { name: 'Comparison' },
    { name: 'Verdict' },
    { name: 'Adjusted p', isNumber: true },
    { name: 'Blocks', isNumber: true },
  ];
  return html`<div class="stack part">
    <h3>Verdict of ${day}</h3>
    ${tableOf({ name: `Verdict of ${day}`, columns, rows })}
  </div>`;
}

/** What became of the counted alerts, and why some have no figure. */
export function missingTable({ counts }: Pick<RecordPeriod, 'counts'>): Html {
  const { drift_24h: drift, follower_free: free, follower_pro: pro } = counts;
  const numberOf = (count: number) => count.toLocaleString('en-US');
  const name = 'What became of the counted alerts';
  const columns = [
    { name: 'Counted alerts' },
    { name: 'Price a day later', isNumber: true },
    { name: 'Free follower', isNumber: true },
    { name: 'Pro follower', isNumber: true },
  ];
  const rows = [
    ...DRIFT_COUNTS.map(([key, words]) => [words, numberOf(drift[key]), '', '']),
    ...FOLLOWER_COUNTS.map(([key, words]) => [words, '', numberOf(free[key]), numberOf(pro[key])]),
  ];
  return html`<div class="stack part">
    <h3>${name}</h3>
    ${tableOf({ name, columns, rows: merged(rows) })}
  </div>`;
}

/** Rows with the same name are one: `Not observed` is counted for both. */
function merged(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...Map.groupBy(rows, ([name]) => name).values()].map((same) =>
    (same[0] ?? []).map((_, index) => same.map((row) => row[index]).find((cell) => cell !== '') ?? ''),
  );
}
