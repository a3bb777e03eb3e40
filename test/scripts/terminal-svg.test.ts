import { describe, expect, test } from 'vitest';
import { terminalSvg } from '../../scripts/picture/terminal-svg.ts';

const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);

describe('terminalSvg', () => {
  test('places each span at its column, with its colour and weight, and escapes the text', () => {
    const lines = terminalSvg('\x1b[31m 95 █░\x1b[39m \x1b[1ma<b\x1b[22m\n  ✅ "R" & s\n', 'T').split('\n');
    expect(lines.filter((line) => line.startsWith('<text'))).toEqual([
      '<text xml:space="preserve" x="28.4" y="58" textLength="42" lengthAdjust="spacingAndGlyphs" fill="#ff7b72">95 █░</text>',
      '<text xml:space="preserve" x="78.8" y="58" textLength="25.2" lengthAdjust="spacingAndGlyphs" font-weight="bold">a&lt;b</text>',
      '<text xml:space="preserve" x="36.8" y="77" textLength="84" lengthAdjust="spacingAndGlyphs">✅ &quot;R&quot; &amp; s</text>',
    ]);
  });

  test('grows with the number of lines', () => {
    const heightOf = (svg: string) => Number(/height="(\d+)"/.exec(svg)?.[1]);
    expect(heightOf(terminalSvg('a\nb', 'T')) - heightOf(terminalSvg('a', 'T'))).toBe(19);
  });

  test('wraps a line beyond 100 columns between words', () => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
    const texts = textsOf(terminalSvg(words, 'T'));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join(' ')).toBe(words);
    expect(Math.max(...texts.map((text) => text?.length ?? 0))).toBeLessThanOrEqual(100);
  });

  test('keeps the style of a line that is wrapped', () => {
    const svg = terminalSvg(`\x1b[90m${'word '.repeat(30).trim()}\x1b[39m end`, 'T');
    expect(svg.match(/fill="#9aa4af">word/g)).toHaveLength(2);
    expect(svg).toContain('spacingAndGlyphs">end<');
  });

  test('refers to nothing outside itself', () => {
    expect(terminalSvg('text', 'T').replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|url\(|href|@font-face/,
    );
  });
});
