import type { SourceRow } from '../../core/source/source.ts';
import { type BadRow, badRow } from './bad-row.ts';
import { createDropReport } from './drop-report.ts';
import type { Line } from './line-splitter.ts';
import { acceptedAtOf, parseHeader, parseJson, parseRow, type TapeHeader } from './row-schema.ts';
import type { SourceDeps } from './source-deps.ts';

/** Turns lines into rows; bad ones are reported, blank ones passed over. `begin` sets the offset of the next line. */
export interface RowReader {
  begin(offset: number): void;
  read(lines: readonly Line[]): SourceRow[];
}

/** `onHeader` hears of the header, which only a file's first line may be. */
export function createRowReader(
  deps: SourceDeps,
  source: string,
  onHeader: (header: TapeHeader) => void = () => {},
): RowReader {
  const report = createDropReport(deps, source);
  let isFirstLine = true;

  function isHeader(text: string): boolean {
    if (!isFirstLine) return false;
    isFirstLine = false;
    const header = parseHeader(text);
    if (header !== null) onHeader(header);
    return header !== null;
  }

  return {
    begin(offset) {
      isFirstLine = offset === 0;
    },
    read(lines) {
      const rows: SourceRow[] = [];
      const now = deps.clock.now();
      for (const { text, end } of lines) {
        if (text !== null && (isHeader(text) || text === '' || text.trim() === '')) continue;
        const value = text === null ? undefined : parseJson(text);
        const row = value === undefined ? noRow(text) : parseRow(value, now, deps.categorise);
        if (row.kind === 'bad') report(row, end);
        else rows.push({ row, offset: end, ...acceptedAtOf(value, now) });
      }
      return rows;
    },
  };
}

function noRow(text: string | null): BadRow {
  return text === null ? badRow('too_long', 'line') : badRow('not_json', text);
}
