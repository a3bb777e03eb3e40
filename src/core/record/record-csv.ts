import type { RecordReport } from './record-report.ts';

const COLUMNS = ['stage', 'month', 'figure', 'alerts', 'events', 'mean'] as const;
const FIGURES = ['move_24h', 'won_minus_price'] as const;

/** Months as CSV (RFC 4180): a row per stage, month and figure, newest stage first (docs/method.md). */
export function recordCsv({ stages }: Pick<RecordReport, 'stages'>): string {
  const rows = stages.flatMap(({ stage, groups }) =>
    groups.months.flatMap((month) =>
      FIGURES.map((figure) => {
        const { alerts, events, mean } = month[figure];
        return [stage, month.name, figure, String(alerts), String(events), String(mean ?? '')];
      }),
    ),
  );
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
