import { plainScreen } from './plain-screen.ts';
import type { Screen } from './screen.ts';

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
