import type { Terminal } from './terminal.ts';

const MARKS = {
  pass: { text: 'pass', style: 'green' },
  warn: { text: 'warn', style: 'yellow' },
  fail: { text: 'FAIL', style: 'red' },
  skipped: { text: 'skip', style: 'dim' },
  note: { text: 'note', style: 'dim' },
} as const;

/** Columns before the text of a check, given the width of its name. */
export function verdictHang(width: number): number {
  return width + 8;
}

/** `pass  freshness          the newest row was 6.1 s old`. `name`: already padded to the width of the longest. */
export function showVerdict(
  terminal: Terminal,
  verdict: keyof typeof MARKS,
  name: string,
  text: string,
): void {
  const { text: mark, style } = MARKS[verdict];
  terminal.prose(`${terminal.style(style, mark)}  ${name}  ${text}`, verdictHang(name.length));
}

export type VerdictMark = keyof typeof MARKS;
