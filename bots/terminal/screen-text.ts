import { stripVTControlCharacters } from 'node:util';
import { type Button, plainText, type Screen } from '../shared/screen.ts';

export type Style = (style: 'bold' | 'italic' | 'green' | 'cyan' | 'gray', text: string) => string;

interface Look {
  readonly style: Style;
  /** Columns; null wraps nothing. */
  readonly width: number | null;
}

/** `firstNumber`: of the buttons. */
export function screenText(screen: Screen, look: Look, firstNumber = 1): string {
  const lines = (button: Button, index: number) => buttonLine(button, firstNumber + index, look.style);
  const buttons = screen.buttons.flat().map(lines);
  return `\n${screenWords(screen, look)}\n\n${buttons.join('\n')}\n\n`;
}

export function screenWords({ body }: Pick<Screen, 'body'>, { style, width }: Look): string {
  const paragraphs = body.map((paragraph) => {
    const text = paragraph.map((span) => styled(span, style)).join('');
    // Text to copy stays on one line.
    const isForCopying = paragraph.some((span) => typeof span !== 'string' && 'code' in span);
    return width === null || isForCopying
      ? text
      : text
          .split('\n')
          .map((line) => wrapped(line, width))
          .join('\n');
  });
  return paragraphs.join('\n\n');
}

function styled(span: Screen['body'][number][number], style: Style): string {
  const text = plainText({ body: [[span]] });
  if (typeof span === 'string') return text;
  if ('bold' in span) return style('bold', text);
  if ('italic' in span) return style('italic', text);
  return style('code' in span ? 'green' : 'cyan', text);
}

function buttonLine(button: Button, number: number, style: Style): string {
  const address = 'url' in button ? `  ${style('cyan', button.url)}` : '';
  return `  ${style('bold', String(number))}  ${button.label}${address}`;
}

/** The line in pieces of at most `width` columns, styles not counted; later pieces hang by `hang`. */
export function wrapped(line: string, width: number, hang = line.search(/[^ ]|$/)): string {
  let column = 0;
  return line.replaceAll(/( *)([^ ]+)/g, (token, gap: string, word: string) => {
    const { length } = stripVTControlCharacters(word);
    if (column === 0 || column + gap.length + length <= width) {
      column += gap.length + length;
      return token;
    }
    column = hang + length;
    return `\n${' '.repeat(hang)}${word}`;
  });
}
