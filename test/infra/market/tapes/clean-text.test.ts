import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categoryOf } from '../../../../src/core/trades/classification/category-of.ts';
import { marketLine } from '../../../../src/infra/market/polymarket/markets/market-line.ts';
import { tradeLine } from '../../../../src/infra/market/polymarket/trades/trade-line.ts';
import { createRowParser } from '../../../../src/infra/market/tapes/row-schema.ts';
import { cleanText } from '../../../../src/infra/market/tapes/text-fields.ts';
import { gammaMarket } from '../../../support/polymarket/gamma-market.ts';
import { TODAY, wireMarket, wireTrade } from './source-fixture.ts';

/** Control characters, marks that turn the direction of text, and halves of surrogate pairs. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
const ESCAPES = 'Will \u001B]0;PWNED\u0007\u001B[2Jit\u202E \u2066win?\r\nNo';
const CLEANED = 'Will ]0;PWNED[2Jit win? No';

const hostile = fc.constantFrom(
  ...['\u0000', '\u0007', '\t', '\r\n', '\u001B', '\u007F', '\u0085', '\u009B'],
  ...['\u202A', '\u202E', '\u2066', '\u2069', '\uD83D', '\uDE00', '😀', 'word', ' '],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.array(hostile, { maxLength: 700 }).map((parts) => parts.join('')),
);

describe('text of strangers', () => {
  test('holds no control character, no mark of direction and no half of a pair, and has at most 300 code points', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanText(text);
        expect(cleaned).not.toMatch(FORBIDDEN);
        expect([...cleaned].length).toBeLessThanOrEqual(300);
        expect(cleanText(cleaned)).toBe(cleaned);
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is harmless stays as it is', () => {
    const harmless = fc
      .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { maxLength: 300 })
      .map((parts) => parts.join(''))
      .filter((text) => !FORBIDDEN.test(text) && [...text].length <= 300);
    fc.assert(
      fc.property(harmless, (text) => {
        expect(cleanText(text)).toBe(text);
      }),
    );
    for (const text of ['', ' Привет — “мир” 👩‍👩‍👧 \u200F', 'é', '\u2028'])
      expect(cleanText(text)).toBe(text);
  });

  test.each([
    ['a tab becomes a space', 'one\ttwo', 'one two'],
    ['line breaks become one space', 'one\r\n\r\ntwo', 'one two'],
    ['the line break of C1 too', 'one\u0085two', 'one two'],
    ['other controls are removed', 'one\u001Btwo', 'onetwo'],
    ['halves make no pair over what is removed', '\uD83D\u202E\uDE00', ''],
    ['no pair is cut in two', '😀'.repeat(301), '😀'.repeat(300)],
    ['a terminal is steered by nothing', ESCAPES, CLEANED],
  ])('%s', (_name, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });
});

describe('is cleaned where rows come in', () => {
  const long = `${ESCAPES}${'x'.repeat(100_000)}`;
  const trade = { title: long, slug: 'a\u001Bb', outcome: 'Yes\u202E' };
  const market = {
    question: ESCAPES,
    slug: 'a\u001Bb',
    outcomes: JSON.stringify(['Yes\u202E', 'No\u0007']),
    tags: [{ slug: 'Pol\u001Bitics' }],
  };
  const parse = (row: object) => createRowParser(categoryOf)(JSON.stringify(row), TODAY);
  const live = (value: object) => ('row' in value ? value.row : value);

  test.each([
    ['tape', parse(wireTrade(trade))],
    ['live feed', live(tradeLine(wireTrade(trade), TODAY))],
  ])('a trade of a %s', (_name, row) => {
    expect(row).toMatchObject({
      trade: { slug: 'ab', outcome: 'Yes', title: expect.stringMatching(/^.{300}$/) },
    });
  });

  test.each([
    ['tape', parse(wireMarket(market))],
    ['live feed', live(marketLine(gammaMarket(market), { now: TODAY, categorise: categoryOf }))],
  ])('a market of a %s, whose category comes from the cleaned text', (_name, row) => {
    expect(row).toMatchObject({
      market: {
        question: CLEANED,
        slug: 'ab',
        outcomes: ['Yes', 'No'],
        tags: ['politics'],
        category: 'politics',
      },
    });
  });

  test('a market that has no question left is none', () => {
    expect(parse(wireMarket({ question: '\u001B\u202E' }))).toMatchObject({ kind: 'bad' });
  });
});
