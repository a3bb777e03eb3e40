import type { PublishedRecord, RecordEntry, RecordFigures } from '../core/record.ts';

/** The published record as aligned plain text, one block per alert and one per market; no trailing newline. */
export function recordTable(record: PublishedRecord): string {
  const rows = rowsOf(record);
  return [
    block(
      'Per alert',
      'alerts',
      rows.map(([label, entry]) => [label, entry.perAlert]),
    ),
    block(
      'Per market (each market counts once)',
      'markets',
      rows.map(([label, entry]) => [label, entry.perMarket]),
    ),
  ].join('\n\n');
}

const BAND_LABELS = {
  very_high: '80-100 very high',
  strong: '60-79 strong',
  moderate: '40-59 moderate',
  informational: 'below 40 informational',
} as const satisfies Record<keyof PublishedRecord['byBand'], string>;

function rowsOf({ all, byType, byBand }: PublishedRecord): [string, RecordEntry][] {
  return [
    ['all', all],
    ...Object.entries(byType),
    ...Object.entries(BAND_LABELS).map(([band, label]): [string, RecordEntry] => [
      label,
      byBand[band as keyof typeof BAND_LABELS],
    ]),
  ];
}

function block(title: string, unit: string, rows: readonly (readonly [string, RecordFigures])[]): string {
  const header = ['', unit, 'resolved', 'win rate', 'avg entry', 'edge', 'profit USDC'];
  const table = [header, ...rows.map(([label, figures]) => [label, ...cellsOf(figures)])];
  return [title, ...alignColumns(table)].join('\n');
}

function cellsOf({ count, resolved, winRate, averageEntry, edge, profitUsdc }: RecordFigures): string[] {
  return [
    String(count),
    String(resolved),
    orDash(winRate, (rate) => `${(rate * 100).toFixed(1)} %`),
    orDash(averageEntry, (price) => price.toFixed(3)),
    orDash(edge, (value) => signed(value.toFixed(3))),
    orDash(profitUsdc, (usdc) => signed(usdc.toFixed(2))),
  ];
}

function orDash(value: number | null, format: (value: number) => string): string {
  return value === null ? '-' : format(value);
}

function signed(fixed: string): string {
  const value = Number(fixed);
  if (value === 0) return fixed.replace('-', '');
  return value > 0 ? `+${fixed}` : fixed;
}

function alignColumns(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
