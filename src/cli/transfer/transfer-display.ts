import type { Clock } from '../../core/base/time/clock.ts';
import { isEqual, type TableReport, type TransferWatch } from '../../infra/database/transfer/copy-rows.ts';
import { progressBar, type Terminal } from '../terminal.ts';

const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;
/** A table that took less has no line of its own: the report names every table. */
const LINE_FROM_MS = 1_000;
const SHOWN_DIGITS = 16;
const WORDS = { copy: 'copied', compare: 'compared' } as const;

interface Running {
  readonly step: keyof typeof WORDS;
  readonly name: string;
  readonly total: number;
  readonly startedAt: number;
}

/** Shows how far a transfer has come: a line that is replaced on a terminal, a line every 10 s elsewhere; and one for each table that took a second or more. */
export class TransferDisplay implements TransferWatch {
  readonly signal: AbortSignal;
  readonly #terminal: Terminal;
  readonly #clock: Pick<Clock, 'now'>;
  #running: Running | null = null;
  #rows = 0;
  #shownAt = 0;

  constructor(terminal: Terminal, clock: Pick<Clock, 'now'>, signal: AbortSignal) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.signal = signal;
  }

  onTable(step: keyof typeof WORDS, name: string, total: number): void {
    this.end();
    this.#rows = 0;
    this.#running = { step, name, total, startedAt: this.#clock.now() };
    this.#shownAt = this.#clock.now();
  }

  onRows(count: number): void {
    if (this.#running === null) return;
    this.#rows += count;
    const now = this.#clock.now();
    const { isInteractive } = this.#terminal;
    if (now - this.#shownAt < (isInteractive ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
    this.#shownAt = now;
    const { name, total } = this.#running;
    const part = total === 0 ? 0 : Math.min(1, this.#rows / total);
    if (isInteractive)
      this.#terminal.progress(`${progressBar(part)}  ${name}: ${this.#counted(this.#running)}`);
    else this.#terminal.line(`${name}: ${this.#counted(this.#running)} so far (${Math.floor(part * 100)} %)`);
  }

  /** Ends the line of the last table. */
  end(): void {
    const table = this.#running;
    this.#running = null;
    if (table === null) return;
    if (this.#clock.now() - table.startedAt < LINE_FROM_MS) this.#terminal.progress('');
    else this.#terminal.line(`${WORDS[table.step]} ${table.name}: ${this.#counted(table)}`);
  }

  #counted({ startedAt }: Running): string {
    const seconds = Math.max(1, this.#clock.now() - startedAt) / 1_000;
    return `${grouped(this.#rows)} ${this.#rows === 1 ? 'row' : 'rows'}, ${grouped(Math.round(this.#rows / seconds))} rows/s`;
  }
}

/** Rows and hashes of every table on both sides, and whether all are equal. */
export function reportLines(reports: readonly TableReport[]): string[] {
  const width = Math.max(...reports.map(({ name }) => name.length));
  const counts = reports.map(({ source }) => grouped(source.rows));
  const countWidth = Math.max('rows'.length, ...counts.map((count) => count.length));
  const line = (cells: readonly [string, string, string, string], note = '') => {
    const [name, rows, source, target] = cells;
    const columns = [
      name.padEnd(width),
      rows.padStart(countWidth),
      source.padEnd(SHOWN_DIGITS),
      target.padEnd(SHOWN_DIGITS),
    ];
    return `${columns.join('  ')}  ${note}`.trimEnd();
  };
  const shown = ({ hash }: TableReport['source']) => hash.slice(0, SHOWN_DIGITS);
  return [
    line(['table', 'rows', 'source', 'target']),
    ...reports.map((report, index) => {
      const { name, source, target } = report;
      const note = isEqual(report) ? 'equal' : `DIFFERENT: ${grouped(target.rows)} rows in the target`;
      return line([name, counts[index] ?? '', shown(source), shown(target)], note);
    }),
  ];
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
