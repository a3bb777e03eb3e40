import { oneLine } from '../../base/text/formats.ts';

/** Whether the font has a character: one of Unicode's basic plane. */
export type HasGlyph = (character: string) => boolean;

/** More of a text is not looked at. */
const READ_MAX = 2_000;
/** Characters that make an emoji, or change how one looks. */
const EMOJI =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Variation_Selector}|\u20e3/gu;
/** Without a glyph by nature, such as joiners and soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;
const BLANKS = /\s+/g;
const READABLE = /[\p{L}\p{N}]/u;
/** A font draws most letters with marks as one glyph; other marks would lie beside their letter. */
const MARK = /\p{M}/u;

/**
 * A text of the market as one line that the font can draw: emoji are left out, unless the font has them. Null if another
 * character has no glyph, or if nothing readable is left. Longer texts are cut after `length` characters, with `…`.
 */
export function drawableText(text: string, length: number, hasGlyph: HasGlyph): string | null {
  const isDrawn = (character: string) =>
    character.length === 1 && !MARK.test(character) && hasGlyph(character);
  const known = text
    .slice(0, READ_MAX)
    .toWellFormed()
    .normalize('NFC')
    .replace(EMOJI, (sign) => (isDrawn(sign) ? sign : ' '))
    .replace(INVISIBLE, '');
  const characters = [...oneLine(known).replace(BLANKS, ' ').trim()];
  const cut = characters.length <= length ? characters : [...characters.slice(0, length - 1), '…'];
  const line = cut.join('');
  if (!READABLE.test(line)) return null;
  return cut.every((character) => character === ' ' || isDrawn(character)) ? line : null;
}
