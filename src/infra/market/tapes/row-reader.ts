import type { EpochMs } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { SourceRow } from '../../../core/trades/source/source.ts';
import type { Row } from '../../../core/trades/trade.ts';
import { type BadRow, badRow, createDropReport } from './bad-row.ts';
import { acceptedAtOf, parseHeader, parseLine, parseRow, type TapeHeader } from './row-schema.ts';
import type { SourceDeps } from './source-deps.ts';
import { type Line, LineSplitter } from './tape-file.ts';
import { parseJson } from './text-fields.ts';

export class RowReader {
  readonly #deps: SourceDeps;
  readonly #onHeader: (header: TapeHeader) => void;
  readonly #report: (bad: BadRow, offset: number) => void;
  #isFirstLine = true;

  constructor(deps: SourceDeps, source: string, onHeader: (header: TapeHeader) => void = () => {}) {
    this.#deps = deps;
    this.#onHeader = onHeader;
    this.#report = createDropReport(deps, source);
  }

  begin(offset: number): void {
    this.#isFirstLine = offset === 0;
  }

  read(lines: readonly Line[]): SourceRow[] {
    const rows: SourceRow[] = [];
    const now = this.#deps.clock.now();
    for (const { text, end } of lines) {
      if (text !== null && (this.#isHeader(text) || text.trim() === '')) continue;
      const value = text === null ? undefined : parseJson(text);
      const row = value === undefined ? noRow(text) : parseRow(value, now);
      if (row.kind === 'bad') this.#report(row, end);
      else rows.push(sourceRow(row, end, acceptedAtOf(value, now)));
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

function sourceRow(row: Row, offset: number, acceptedAt: EpochMs | null): SourceRow {
  return acceptedAt === null ? { row, offset } : { row, offset, acceptedAt };
}

function noRow(text: string | null): BadRow {
  return text === null ? badRow('too_long', 'line') : badRow('not_json', text);
}

/** Throws a `UserError` if none of the first lines, which begin with `head`, is a row or a header. */
export function assertTape(name: string, head: Buffer): void {
  const lines = new LineSplitter(0).push(head).flatMap(({ text }) => text?.trim() || []);
  if (lines.length === 0 || lines.some(isOfTape)) return;
  throw new UserError(
    `${name}: not a tape: none of its first lines is a row; expected a .jsonl or .jsonl.gz file ` +
      'with one JSON object per line (docs/tapes.md)',
  );
}

function isOfTape(line: string): boolean {
  if (parseHeader(line) !== null) return true;
  const row = parseLine(line, 0);
  return row.kind !== 'bad' || (row.reason !== 'not_json' && row.reason !== 'unknown_kind');
}
