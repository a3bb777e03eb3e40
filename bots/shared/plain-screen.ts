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

/** The answer to unknown commands, and to a stranger's operator commands. */
export function unknownCommand(): Screen {
  return plainScreen(
    'unknown',
    ['I do not know that command. Tap a button, or send /help to see what I can do.'],
    [
      [
        { label: 'Menu', action: 'start' },
        { label: 'Help', action: 'help' },
      ],
    ],
  );
}
