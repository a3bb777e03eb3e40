import { stripVTControlCharacters, styleText } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapped } from '../../../bots/terminal/screen-text.ts';

test('leaves alone what fits to the last column', () => {
  expect(wrapped('exactly twenty wide.', 20)).toBe('exactly twenty wide.');
});

test('continues under the text of an indented line, or at the given column', () => {
  expect(wrapped('    one two three', 12)).toBe('    one two\n    three');
  expect(wrapped('one two three', 8, 2)).toBe('one two\n  three');
});

test('keeps the gaps of columns, and drops the gap at a break', () => {
  expect(wrapped('fresh     BUY Yes', 13)).toBe('fresh     BUY\nYes');
  expect(wrapped('fresh     BUY Yes', 11)).toBe('fresh\nBUY Yes');
});

test('does not count styles', () => {
  const bold = styleText('bold', 'two', { validateStream: false });
  expect(wrapped(`one ${bold} six`, 11)).toBe(`one ${bold} six`);
});

test('for any text: no word is lost or split, and no piece with several words is too wide', () => {
  const word = fc.stringMatching(/^[a-z$,.0-9]{1,15}$/);
  const line = fc.array(word, { minLength: 1, maxLength: 20 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      line,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 10 }),
      (text, width, hang) => {
        const pieces = wrapped(text, width, hang).split('\n');
        expect(pieces.flatMap((piece) => piece.trim().split(' '))).toEqual(text.split(' '));
        for (const piece of pieces.filter((own) => own.trim().includes(' ')))
          expect(stripVTControlCharacters(piece).length).toBeLessThanOrEqual(width);
      },
    ),
  );
});
