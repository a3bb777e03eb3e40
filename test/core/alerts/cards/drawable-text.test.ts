import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawableText } from '../../../../src/core/alerts/cards/card.ts';

const hasLatin = (character: string) => /[ -~À-ſ…©]|\p{Mn}/u.test(character);
const text = (given: string, length = 200) => drawableText(given, length, hasLatin);

describe('a text of a market on a card', () => {
  test.each([
    ['is one line, without marks of direction', 'Will\n\u202eit\u202c\train?', 'Will it rain?'],
    ['loses its emoji', '🏆 Who wins 🇫🇷 the 1️⃣ cup? 👨‍👩‍👧', 'Who wins the 1 cup?'],
    ['keeps a sign that the font has', '© 2026: who wins?', '© 2026: who wins?'],
    ['has its accents in one character', 'Ze\u0301lande', 'Zélande'],
    ['loses what is invisible', 'so\u00adft zero\u200bwidth\ufeff', 'soft zerowidth'],
    ['has plain blanks', 'a\u00a0b\u3000c', 'a b c'],
  ])('%s', (_, given, drawn) => {
    expect(text(given)).toBe(drawn);
  });

  test.each([
    ['has a letter without a glyph', 'Who wins in 東京?'],
    ['has a mark beside a letter', 'Z\u0351\u0363algo'],
    ['has a character beyond the basic plane', 'Who is 𝕏?'],
    ['has nothing to read', '🏆 … ???'],
    ['is empty', ''],
  ])('is refused if it %s', (_, given) => {
    expect(text(given)).toBeNull();
  });

  test('is cut by characters', () => {
    expect(text('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`);
    expect(text('a'.repeat(200))).toBe('a'.repeat(200));
    expect(text(`${'a'.repeat(100_000)}`)).toHaveLength(200);
  });

  test('is drawn with known glyphs only, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (given) => {
        const drawn = text(given, 50) ?? 'x';
        expect([...drawn].every(hasLatin)).toBe(true);
        expect(drawn.length).toBeLessThanOrEqual(50);
      }),
    );
  });
});
