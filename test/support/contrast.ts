/** Colours of the site by scheme and name, as tokens.css states them. */
export type Palette = Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>;

/** The colours of a style sheet: those of `:root`, and what its dark scheme changes. */
export function paletteOf(css: string): Palette {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const colors = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color]),
    );
  return { light: colors(light), dark: { ...colors(light), ...colors(dark) } };
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
