import type { RecordReport } from './record-report.ts';

const COLUMNS = ['rule_version', 'stage', 'month', 'figure', 'alerts', 'events', 'mean'] as const;
const FIGURES = ['drift_24h_minus_controls', 'won_minus_price'] as const;

/**
 * The months of a record as CSV (RFC 4180, with a header line): one row per period, month and figure, newest period first.
 * `mean` is in USDC a share and empty where nothing is measured; docs/method.md describes the columns.
 */
export function recordCsv({ periods }: Pick<RecordReport, 'periods'>): string {
  const rows = periods.flatMap(({ rule_version, stage, groups }) =>
    groups.months.flatMap((month) =>
      FIGURES.map((figure) => {
        const { alerts, events, mean } = month[figure];
        return [rule_version, stage, month.name, figure, String(alerts), String(events), String(mean ?? '')];
      }),
    ),
  );
  return [COLUMNS, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** A version of the rules may have any characters. */
function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
