import type { Button, Paragraph, Screen } from './screen.ts';

/** A screen of words and buttons alone. A paragraph that is one string is plain. */
export function plainScreen(
  name: string,
  body: readonly (Paragraph | string)[],
  buttons: readonly (readonly Button[])[],
): Screen {
  return {
    name,
    body: body.map((paragraph) => (typeof paragraph === 'string' ? [paragraph] : paragraph)),
    buttons,
    secret: null,
    ask: null,
    repeated: null,
  };
}
