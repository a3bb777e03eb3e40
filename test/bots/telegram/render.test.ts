import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, type TextSpan } from '../../../bots/shared/screen.ts';
import { toKeyboard, toOnePart, toParts } from '../../../bots/telegram/render.ts';
import { parseHtml } from '../../support/chat/telegram-html.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('<b>', '&lt;', '"', '</a>', ' ', '\n', '😀'),
);
const span: fc.Arbitrary<TextSpan> = fc.oneof(
  text,
  fc.record({ bold: text }),
  fc.record({ italic: text }),
  fc.record({ code: text }),
  fc.record({ link: fc.webUrl({ withQueryParameters: true }), text }),
);
const body = fc.array(fc.array(span, { maxLength: 5 }), { maxLength: 6 });

/** The same in any layout: cutting may drop white space and nothing else. */
const bare = (words: string) => words.replace(/\s+/g, '');

describe('screens on Telegram', () => {
  test('whatever they say, the markup is taken and shows it as it was said', () => {
    fc.assert(
      fc.property(body, (paragraphs) => {
        const parts = toParts(paragraphs);
        const shown = parts.map(({ html }) => parseHtml(html));
        expect(shown.filter((answer) => typeof answer === 'string')).toEqual([]);
        const said = paragraphs.map((spans) =>
          spans.map((one) => plainText({ body: [[shownSpan(one)]] })).join(''),
        );
        const read = shown.map((answer) => (typeof answer === 'string' ? '' : answer.text));
        expect(bare(read.join(''))).toBe(bare(said.join('')));
      }),
    );
  });

  test('no message is longer than the limit, and nothing is lost', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 400, max: 500 }), (paragraphs, most) => {
        const parts = toParts(paragraphs, most);
        expect(parts.filter(({ plain }) => plain.length > most)).toEqual([]);
        expect(parts.filter(({ html }) => typeof parseHtml(html) === 'string')).toEqual([]);
        expect(bare(parts.map(({ plain }) => plain.replace(/ \(\S+\)/g, '')).join(''))).toBe(
          bare(plainText({ body: paragraphs }).replace(/ \(\S+\)/g, '')),
        );
      }),
    );
  });

  test('a long text is cut between paragraphs, else between words, never in a character', () => {
    const [first, second] = toParts([['a'.repeat(30)], ['b'.repeat(30)]], 40).map(({ plain }) => plain);
    expect([first, second]).toEqual(['a'.repeat(30), 'b'.repeat(30)]);
    expect(toParts([['one two three']], 8).map(({ plain }) => plain)).toEqual(['one two', 'three']);
    expect(toParts([['😀😀😀']], 3).map(({ plain }) => plain)).toEqual(['😀', '😀', '😀']);
  });

  test('what may only be one message says that there was more', () => {
    const part = toOnePart(Array.from({ length: 9 }, () => ['x'.repeat(1_000)]));
    expect(part.plain).toHaveLength(4 * 1_000 + 3 * 2 + 3);
    expect(part.html).toMatch(/x\n\n…$/);
    expect(toOnePart([['short']])).toEqual({ html: 'short', plain: 'short' });
  });

  test('an action longer than 64 bytes is a fault, as Telegram would refuse the whole message', () => {
    const row = (action: string) => ({ buttons: [[{ label: 'x', action }]], secret: null });
    expect(toKeyboard(row('a'.repeat(64)))).toHaveLength(1);
    expect(() => toKeyboard(row('a'.repeat(65)))).toThrow('64 bytes');
  });
});

function shownSpan(one: TextSpan): TextSpan {
  return typeof one !== 'string' && 'link' in one ? one.text : one;
}
