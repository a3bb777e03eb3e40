import { plainScreen } from './plain-screen.ts';
import type { Screen } from './screen.ts';

/** The one answer to what nobody knows: also what a stranger gets for a command of the operator. */
export function unknownCommand(): Screen {
  return plainScreen(
    'unknown',
    ['I do not know that one. Tap a button, or send /help to see what I can do.'],
    [
      [
        { label: 'Menu', action: 'start' },
        { label: 'Help', action: 'help' },
      ],
    ],
  );
}
