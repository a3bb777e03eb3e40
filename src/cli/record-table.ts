import type { ConfidenceInterval } from '../core/record/bootstrap.ts';
import { FEWEST_EVENTS } from '../core/record/conclusion.ts';
import type { PublishedRecord, RecordEntry, RecordFigures } from '../core/record/record.ts';
import { alignColumns, signed } from './table-text.ts';

/**
 * The published record as aligned plain text: per event where there are several, per market, per alert, and last what the
 * orders would have earned. No trailing newline.
 */
export function recordTable(record: PublishedRecord): string {
  const rows = rowsOf(record);
  const rates = (title: string, unit: string, figuresOf: (entry: RecordEntry) => RecordFigures) =>
    block(title, [unit, 'win rate %', 'avg entry ¢', 'edge ¢'], rows, (entry) => rateCells(figuresOf(entry)));
  const { count: events } = record.all.perEvent;
  const hasEvents = events > 1 && events < record.all.perMarket.count;
  return [
    `Edge: win rate − average entry, in cents a share. In brackets the 95 % interval;
below ${FEWEST_EVENTS} markets it is too narrow, and one in twenty lies off 0 by chance alone.`,
    ...(hasEvents ? [rates('Per event (one vote each)', 'events', ({ perEvent }) => perEvent)] : []),
    rates('Per market (one vote each)', 'markets', ({ perMarket }) => perMarket),
    rates('Per alert (intervals by market)', 'alerts', ({ perAlert }) => perAlert),
    profits(rows),
  ].join('\n\n');
}

const BAND_LABELS = {
  very_high: '80-100 very high',
  strong: '60-79 strong',
  moderate: '40-59 moderate',
  informational: 'below 40',
} as const satisfies Record<keyof PublishedRecord['byBand'], string>;

type Row = readonly [label: string, entry: RecordEntry];

function rowsOf({ all, byType, byBand }: PublishedRecord): readonly Row[] {
  return [
    ['all', all],
    ...Object.entries(byType),
    ...Object.entries(BAND_LABELS).map(
      ([band, label]): Row => [label, byBand[band as keyof typeof BAND_LABELS]],
    ),
  ];
}

function profits(rows: readonly Row[]): string {
  const title = `Profit in USDC, before fees. A position counts once in each row, so the rows do
not add up.`;
  return block(
    title,
    ['alerts', 'order profit', 'positions', 'position profit'],
    rows,
    ({ perAlert, profitUsdc, positions }) => [
      countCell(perAlert),
      profitCell(profitUsdc),
      String(positions.count),
      profitCell(positions.profitUsdc),
    ],
  );
}

function profitCell(usdc: number | null): string {
  return usdc === null ? '-' : signed(Math.round(usdc).toLocaleString('en-US'));
}

function block(
  title: string,
  columns: readonly string[],
  rows: readonly Row[],
  cellsOf: (entry: RecordEntry) => readonly string[],
): string {
  const table = [['', ...columns], ...rows.map(([label, entry]) => [label, ...cellsOf(entry)])];
  return [title, ...alignColumns(table)].join('\n');
}

function rateCells(figures: RecordFigures): readonly string[] {
  const { winRate, averageEntry, edge, intervals } = figures;
  const hundredths = (value: number) => (value * 100).toFixed(1);
  const whole = (value: number) => (value * 100).toFixed(0);
  const edgeText = (value: number) => signed(hundredths(value));
  return [
    countCell(figures),
    withInterval([winRate, hundredths], [intervals?.winRate, whole]),
    withInterval([averageEntry, hundredths], [intervals?.averageEntry, whole]),
    withInterval([edge, edgeText], [intervals?.edge, edgeText]),
  ];
}

/** `18/20` where only 18 of 20 are resolved. */
function countCell({ count, resolved }: RecordFigures): string {
  return resolved === count ? String(count) : `${resolved}/${count}`;
}

type Format = (value: number) => string;

function withInterval(
  [value, format]: readonly [number | null, Format],
  [interval, formatBound]: readonly [ConfidenceInterval | undefined, Format],
): string {
  if (value === null) return '-';
  const bounds = interval === undefined ? '-' : `${formatBound(interval.low)}, ${formatBound(interval.high)}`;
  return `${format(value)} [${bounds}]`;
}
