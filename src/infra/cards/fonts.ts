import { readFileSync } from 'node:fs';
import satori from 'satori';
import type { Alert } from '../../core/alerts/alert.ts';
import { CARD_SIZE, type HasGlyph, READ_MAX } from '../../core/alerts/cards/card.ts';

const SUBSETS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
export const WEIGHTS = { normal: 400, bold: 600 } as const;

/** Inter, bundled (OFL 1.1; its notice is in the package). A name a subset: of one name only one font is looked into. */
export const FONTS = SUBSETS.flatMap((subset) =>
  Object.values(WEIGHTS).map((weight) => ({
    name: `Inter ${subset}`,
    weight,
    style: 'normal' as const,
    data: readFont(subset, weight),
  })),
);

/** The texts of strangers on the card of an alert. */
export function cardTexts({ eventTitle, eventSlug, outcome, details }: Alert): readonly string[] {
  return [eventTitle, eventSlug, outcome, ...details.reasons.map(({ note }) => note)];
}

/** Which characters of the texts Inter has: a layout of each by itself asks for a font for the others. */
export async function glyphsOf(texts: readonly string[]): Promise<HasGlyph> {
  const read = texts.map((text) => text.slice(0, READ_MAX));
  const children = [...new Set(read.join(' ').normalize('NFC'))].join(' ');
  const missing = new Set<string>();
  await satori(
    { type: 'div', props: { style: { display: 'block', fontFamily: 'Inter latin' }, children } },
    {
      ...CARD_SIZE,
      fonts: FONTS,
      async loadAdditionalAsset(_language, segment) {
        for (const character of segment) missing.add(character);
        return [];
      },
    },
  );
  return (character) => !missing.has(character);
}

function readFont(subset: string, weight: number): Buffer {
  const folder = import.meta.resolve('@fontsource/inter/package.json');
  return readFileSync(new URL(`./files/inter-${subset}-${weight}-normal.woff`, folder));
}
