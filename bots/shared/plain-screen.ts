import type { Button, Paragraph, Screen } from './screen.ts';

/** A screen with text and buttons only. A string is a plain paragraph. */
export function plainScreen(
  name: string,
  body: readonly (Paragraph | string)[],
  buttons: readonly (readonly Button[])[],
): Screen {
  return {
    name,
    body: body.map((paragraph) => (typeof paragraph === 'string' ? [paragraph] : paragraph)),
    buttons,
    preview: null,
    secret: null,
    ask: null,
    repeated: null,
  };
}
