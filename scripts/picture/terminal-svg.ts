import { wrapped } from '../../bots/terminal/screen-text.ts';

const COLUMNS = 100;
const COLUMN_WIDTH = 8.4;
const LINE_HEIGHT = 19;
const FONT_SIZE = 14;
const PADDING = 20;
/** Space above the first line, where a terminal has its title bar. */
const BAR_HEIGHT = 24;
const TEXT_COLOUR = '#e6edf3';
const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  36: '#56d4dd',
  90: '#9aa4af',
};
const SVG_START = (width: number, height: number, title: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<title>${title}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#57606a"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="${TEXT_COLOUR}">`;

interface Span {
  readonly text: string;
  readonly colour: string | null;
  readonly isBold: boolean;
}

/**
 * Draws terminal output as an SVG: text with the ANSI codes of bold and the colours red, green, yellow, cyan and grey. Lines
 * longer than 100 columns are wrapped. Each span has a fixed width, so every monospace font gives the same layout. The picture
 * has its own dark background and needs no font of its own.
 */
export function terminalSvg(output: string, title: string): string {
  const fitting = output
    .trimEnd()
    .split('\n')
    .map((line) => wrapped(line, COLUMNS));
  const lines = spansOfLines(fitting.join('\n'));
  const width = Math.ceil(COLUMNS * COLUMN_WIDTH + 2 * PADDING);
  const height = lines.length * LINE_HEIGHT + 2 * PADDING + BAR_HEIGHT;
  const texts = lines.flatMap((line, index) =>
    drawnSpans(line, BAR_HEIGHT + PADDING + (index + 1) * LINE_HEIGHT - 5),
  );
  return `${[SVG_START(width, height, escaped(title)), ...texts, '</g>', '</svg>'].join('\n')}\n`;
}

function drawnSpans(spans: readonly Span[], y: number): string[] {
  let column = 0;
  return spans.flatMap(({ text, colour, isBold }) => {
    const start = column + columnsOf(/^ */.exec(text)?.[0] ?? '');
    column += columnsOf(text);
    const visible = text.trim();
    if (visible === '') return [];
    const attributes = [
      `x="${rounded(PADDING + start * COLUMN_WIDTH)}" y="${y}"`,
      `textLength="${rounded(columnsOf(visible) * COLUMN_WIDTH)}" lengthAdjust="spacingAndGlyphs"`,
      ...(colour === null ? [] : [`fill="${colour}"`]),
      ...(isBold ? ['font-weight="bold"'] : []),
    ];
    return [`<text xml:space="preserve" ${attributes.join(' ')}>${escaped(visible)}</text>`];
  });
}

/** The lines of a text, each as its parts of one style. A style lasts until its code ends it, also across lines. */
function spansOfLines(text: string): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  let colour: string | null = null;
  let isBold = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI codes begin with ESC.
  for (const part of text.split(/(\x1b\[\d+m|\n)/)) {
    if (part === '\n') lines.push([]);
    else if (!part.startsWith('\x1b')) lines.at(-1)?.push({ text: part, colour, isBold });
    else {
      const code = Number(part.slice(2, -1));
      if (code === 1 || code === 22) isBold = code === 1;
      else colour = COLOURS[code] ?? null;
    }
  }
  return lines;
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (/\p{Emoji_Presentation}/u.test(character) ? 2 : 1), 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
