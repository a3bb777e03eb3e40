import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrastOf, type Palette, paletteOf } from '../support/contrast.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const ASSETS = 'src/site/assets/';
const TOKENS = read(`${ASSETS}tokens.css`);
const palette = paletteOf(TOKENS);
const TEXTS = ['text', 'muted', 'accent', 'right', 'wrong', 'warn'];
const GROUNDS = ['ground', 'surface'];
const SCHEMES = ['light', 'dark'] as const;

/** The table of docs/site.md. */
function contrastTable(colors: Palette): string {
  const rows = TEXTS.map((text) => {
    const cells = SCHEMES.flatMap((scheme) => [
      `\`${colors[scheme][text]}\``,
      ...GROUNDS.map((ground) =>
        contrastOf(colors[scheme][text] ?? '', colors[scheme][ground] ?? '').toFixed(1),
      ),
    ]);
    return `| \`--${text}\` | ${cells.join(' | ')} |`;
  });
  const head = '| text | light | on ground | on surface | dark | on ground | on surface |';
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n');
}

describe('colours', () => {
  test('contrast is that of the standard', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  test.each(SCHEMES)('every text can be read on every ground of the %s scheme: 4.5 or more', (scheme) => {
    const colors = palette[scheme];
    for (const text of TEXTS)
      for (const ground of GROUNDS)
        expect(
          contrastOf(colors[text] ?? '', colors[ground] ?? ''),
          `${text} on ${ground}`,
        ).toBeGreaterThanOrEqual(4.5);
    expect(
      contrastOf(colors['ground'] ?? '', colors['accent'] ?? ''),
      'a chosen link',
    ).toBeGreaterThanOrEqual(4.5);
  });

  test('the dark scheme has its own of each colour', () => {
    for (const name of Object.keys(palette.light))
      expect(palette.dark[name], name).not.toBe(palette.light[name]);
  });

  test('docs/site.md has them with their contrast', () => {
    expect(read('docs/site.md')).toContain(contrastTable(palette));
  });

  test('styles take colours and sizes of text from the tokens', () => {
    const sheets = readdirSync(new URL(ASSETS, ROOT))
      .filter((name) => name.endsWith('.css') && name !== 'tokens.css')
      .map((name) => read(ASSETS + name))
      .join('\n');
    expect(sheets.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi)).toBeNull();
    const used = new Set([...sheets.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
    const declared = new Set([...TOKENS.matchAll(/--([\w-]+):/g)].map(([, name]) => name));
    expect([...used].filter((name) => !declared.has(name))).toEqual([]);
  });
});
