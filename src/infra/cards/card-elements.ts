/** The light colours of src/site/assets/tokens.css: a picture does not know who looks at it. */
export const COLOURS = {
  ground: '#ffffff',
  text: '#14171c',
  muted: '#555d69',
  accent: '#0b5fa5',
  right: '#0a6b45',
  wrong: '#b3261e',
  line: '#d8dce3',
} as const;
export interface CardElement {
  readonly type: string;
  readonly props: {
    readonly style?: Readonly<Record<string, string | number>>;
    readonly children?: string | readonly CardElement[];
    readonly [attribute: string]: unknown;
  };
}
type Style = NonNullable<CardElement['props']['style']>;

export function element(type: string, props: CardElement['props']): CardElement {
  return { type, props };
}

export function box(style: Style, ...children: readonly CardElement[]): CardElement {
  return element('div', { style: { display: 'flex', ...style }, children });
}

export function words(text: string, style: Style): CardElement {
  return element('div', { style: { display: 'block', whiteSpace: 'nowrap', ...style }, children: text });
}

/** At most so many lines, also of a word without an end. */
export function clamped(text: string, lines: number, style: Style): CardElement {
  const cut = { display: 'block', lineClamp: lines, wordBreak: 'break-word', overflow: 'hidden' };
  return element('div', { style: { ...cut, ...style }, children: text });
}
