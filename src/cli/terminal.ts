import { styleText } from 'node:util';
import { wrapped } from '../../bots/terminal/screen-text.ts';

type Style = Parameters<typeof styleText>[0];

/** Output of a command. Colour and progress lines only on an interactive terminal. */
export interface Terminal {
  readonly isInteractive: boolean;
  /** Aborts when the output is closed (`| head`); later text is dropped. */
  readonly closed: AbortSignal;
  /** Prints the text unwrapped, so that it can be copied. */
  line(text?: string): void;
  /** Prints a text wrapped at the terminal's width; unwrapped into a pipe. `hang` as in `wrapped`. */
  prose(text: string, hang?: number): void;
  /** Replaces the current line; no output unless interactive. */
  progress(text: string): void;
  style(style: Style, text: string): string;
}

export function createTerminal(stream: NodeJS.WriteStream): Terminal {
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
    closed: gone.signal,
    line,
    prose: (text, hang) =>
      line(isInteractive && stream.columns > 0 ? wrapped(text, stream.columns, hang) : text),
    progress(text) {
      if (!isInteractive) return;
      clear();
      write(text);
      hasProgress = true;
    },
    style: (style, text) => styleText(style, text, { stream, validateStream: true }),
  };
}

/** `[██████░░░░]  60 %` for a part from 0 to 1. */
export function progressBar(part: number, width = 30): string {
  const filled = Math.round(Math.min(1, Math.max(0, part)) * width);
  return `[${'█'.repeat(filled)}${'░'.repeat(width - filled)}] ${String(Math.floor(part * 100)).padStart(3)} %`;
}
