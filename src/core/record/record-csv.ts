import type { RecordReport } from './record-report.ts';

const COLUMNS = ['stage', 'month', 'figure', 'alerts', 'events', 'mean'] as const;
const FIGURES = ['move_24h', 'won_minus_price'] as const;

/**
 * The months of a record as CSV (RFC 4180, with a header line): one row per stage, month and figure, newest stage first.
 * `mean` is in USDC a share and empty where nothing is measured; docs/method.md describes the columns.
 */
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
