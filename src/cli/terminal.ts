import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes. Colour and moving lines only where a person looks on. */
export interface Terminal {
  readonly isInteractive: boolean;
  line(text?: string): void;
  /** Replaces the current line; nothing where nobody looks on. */
  progress(text: string): void;
  style(style: Style, text: string): string;
}

export function createTerminal(stream: NodeJS.WriteStream): Terminal {
  const isInteractive = stream.isTTY === true;
  let hasProgress = false;
  const clear = () => {
    if (hasProgress) stream.write('\r\x1b[2K');
    hasProgress = false;
  };
  return {
    isInteractive,
    line(text = '') {
      clear();
      stream.write(`${text}\n`);
    },
    progress(text) {
      if (!isInteractive) return;
      clear();
      stream.write(text);
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
