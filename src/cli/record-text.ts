import { figureRows, figuresNote } from '../core/record/conclusion.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { alignColumns, type Terminal } from './terminal.ts';

/** The figures of the record, losses included. */
export function printFigures(report: RecordReport, terminal: Terminal): void {
  for (const line of alignColumns(figureRows(report))) terminal.line(line);
  terminal.prose(figuresNote(report));
}
