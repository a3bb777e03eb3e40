import { stripVTControlCharacters } from 'node:util';

/**
 * The line broken between words so that no piece is wider than `width` columns, styles not counted. Pieces after the first
 * begin with `hang` spaces, unless it is as many as the line itself. A word wider than that stays whole.
 */
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
