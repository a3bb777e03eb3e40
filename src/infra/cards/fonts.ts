import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { HasGlyph } from '../../core/alerts/cards/card.ts';

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

const WOFF = 0x774f4646;
const CMAP = 0x636d6170;
const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
/** Of the basic plane, in segments. */
const SEGMENTS = 4;

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

/** The characters of the basic plane that a WOFF font has a glyph for (www.w3.org/TR/WOFF; OpenType: cmap, format 4). */
function charactersOf(woff: Buffer): ReadonlySet<number> {
  const cmap = tableOf(woff, CMAP);
  const characters = new Set<number>();
  for (let record = 0; record < cmap.readUInt16BE(2); record += 1) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + record * 8 + 4));
    if (subtable.readUInt16BE(0) === SEGMENTS) addSegments(subtable, characters);
  }
  return characters;
}

function tableOf(woff: Buffer, tag: number): Buffer {
  if (woff.readUInt32BE(0) !== WOFF) throw new Error('expected a WOFF font');
  for (let table = 0; table < woff.readUInt16BE(12); table += 1) {
    const entry = HEADER_BYTES + table * ENTRY_BYTES;
    if (woff.readUInt32BE(entry) !== tag) continue;
    const [offset, stored, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + stored);
    return stored < size ? inflateSync(bytes) : bytes;
  }
  throw new Error('the font has no such table');
}

function addSegments(subtable: Buffer, characters: Set<number>): void {
  const bytes = subtable.readUInt16BE(6);
  const [ends, starts, deltas, ranges] = [14, 16 + bytes, 16 + 2 * bytes, 16 + 3 * bytes] as const;
  for (let segment = 0; segment < bytes; segment += 2) {
    const [start, end] = [subtable.readUInt16BE(starts + segment), subtable.readUInt16BE(ends + segment)];
    const [delta, range] = [subtable.readUInt16BE(deltas + segment), subtable.readUInt16BE(ranges + segment)];
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const glyph = range === 0 ? code : subtable.readUInt16BE(ranges + segment + range + 2 * (code - start));
      // 0 is the glyph for what is missing.
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) characters.add(code);
    }
  }
}
