import { plainText, type Screen } from '../shared/screen.ts';

/** How words are made to stand out; gives the text as it is where nobody looks on. */
export type Style = (style: 'bold' | 'italic' | 'green' | 'cyan', text: string) => string;

/** The words of a screen for a terminal, a line each. */
export function screenLines({ body }: Pick<Screen, 'body'>, style: Style): readonly string[] {
  const paragraphs = body.map((paragraph) => paragraph.map((span) => styled(span, style)).join(''));
  return paragraphs.join('\n\n').split('\n');
}

function styled(span: Screen['body'][number][number], style: Style): string {
  const text = plainText({ body: [[span]] });
  if (typeof span === 'string') return text;
  if ('bold' in span) return style('bold', text);
  if ('italic' in span) return style('italic', text);
  return style('code' in span ? 'green' : 'cyan', text);
}
