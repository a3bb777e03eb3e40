import { styleText } from 'node:util';
import { wrapped } from '../../bots/terminal/screen-text.ts';

type Style = Parameters<typeof styleText>[0];

export type Terminal = ReturnType<typeof createTerminal>;

/** `pipeColumns`: the width of prose in a pipe; null does not wrap it there. */
export function createTerminal(stream: NodeJS.WriteStream, pipeColumns: number | null = null) {
  const isInteractive = stream.isTTY === true;
  const gone = new AbortController();
  let hasProgress = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone.abort();
  });
  const write = (text: string) => {
    if (!gone.signal.aborted) stream.write(text);
  };
  const clear = () => {
    if (hasProgress) write('\r\x1b[2K');
    hasProgress = false;
  };
  const line = (text = '') => {
    clear();
    write(`${text}\n`);
  };
  return {
    isInteractive,
    /** Aborts when the output is closed (`| head`); later text is dropped. */
    closed: gone.signal,
    line,
    /** Wrapped at the terminal's width. `hang` as in `wrapped`. */
    prose(text: string, hang?: number) {
      const columns = isInteractive ? stream.columns : pipeColumns;
      line(columns !== null && columns > 0 ? wrapped(text, columns, hang) : text);
    },
    /** Replaces the current line; no output unless interactive. */
    progress(text: string) {
      if (!isInteractive) return;
      clear();
      write(text);
      hasProgress = true;
    },
    style: (style: Style, text: string) => styleText(style, text, { stream, validateStream: true }),
  };
}

export function progressBar(part: number, width = 30): string {
  const filled = Math.round(Math.min(1, Math.max(0, part)) * width);
  return `[${'█'.repeat(filled)}${'░'.repeat(width - filled)}] ${String(Math.floor(part * 100)).padStart(3)}%`;
}

export function alignColumns(
  table: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const padded = (cell: string, column: number) =>
    isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((row) => row.map(padded).join('  ').trimEnd());
}
