import { readFileSync } from 'node:fs';
import type { HasGlyph } from '../../core/alerts/cards/drawable-text.ts';
import { charactersOf } from './font-characters.ts';

/** Parts of Inter, by script. */
const SUBSETS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
/** The weights of cards. */
export const WEIGHTS = { normal: 400, bold: 600 } as const;

const files = SUBSETS.flatMap((subset) =>
  Object.values(WEIGHTS).map((weight) => ({ subset, weight, data: readFont(subset, weight) })),
);

/** Inter, bundled (OFL 1.1; its notice is in the package). A name a subset: of one name only one font is looked into. */
export const FONTS = files.map(({ subset, weight, data }) => ({
  name: `Inter ${subset}`,
  weight,
  style: 'normal' as const,
  data,
}));

const characters = Object.values(WEIGHTS).map(
  (weight) =>
    new Set(files.filter((file) => file.weight === weight).flatMap(({ data }) => [...charactersOf(data)])),
);

/** Whether Inter has a character in each weight. */
export const hasGlyph: HasGlyph = (character) =>
  characters.every((known) => known.has(character.codePointAt(0) ?? 0));

function readFont(subset: string, weight: number): Buffer {
  const folder = import.meta.resolve('@fontsource/inter/package.json');
  return readFileSync(new URL(`./files/inter-${subset}-${weight}-normal.woff`, folder));
}
