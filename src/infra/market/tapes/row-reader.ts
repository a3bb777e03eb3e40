import type { SourceRow } from '../../../core/trades/source/source.ts';
import { type BadRow, badRow } from './bad-row.ts';
import { createDropReport } from './drop-report.ts';
import type { Line } from './line-splitter.ts';
import { acceptedAtOf, parseHeader, parseRow, type TapeHeader } from './row-schema.ts';
import type { SourceDeps } from './source-deps.ts';
import { parseJson } from './text-fields.ts';

/** Parses lines into rows. Bad rows are reported, blank lines skipped. */
export class RowReader {
  readonly #deps: SourceDeps;
  readonly #onHeader: (header: TapeHeader) => void;
  readonly #report: (bad: BadRow, offset: number) => void;
  #isFirstLine = true;

  /** `onHeader` is called with the header, which only the first line of a file may be. */
  constructor(deps: SourceDeps, source: string, onHeader: (header: TapeHeader) => void = () => {}) {
    this.#deps = deps;
    this.#onHeader = onHeader;
    this.#report = createDropReport(deps, source);
  }

  /** Sets the offset of the next line. */
  begin(offset: number): void {
    this.#isFirstLine = offset === 0;
  }

  read(lines: readonly Line[]): SourceRow[] {
    const rows: SourceRow[] = [];
    const { clock, categorise } = this.#deps;
    const now = clock.now();
    for (const { text, end } of lines) {
      if (text !== null && (this.#isHeader(text) || text === '' || text.trim() === '')) continue;
      const value = text === null ? undefined : parseJson(text);
      const row = value === undefined ? noRow(text) : parseRow(value, now, categorise);
      if (row.kind === 'bad') this.#report(row, end);
      else rows.push({ row, offset: end, ...acceptedAtOf(value, now) });
    }
    return rows;
  }

  #isHeader(text: string): boolean {
    if (!this.#isFirstLine) return false;
    this.#isFirstLine = false;
    const header = parseHeader(text);
    if (header !== null) this.#onHeader(header);
    return header !== null;
  }
}

function noRow(text: string | null): BadRow {
  return text === null ? badRow('too_long', 'line') : badRow('not_json', text);
}
