import { plainScreen } from '../plain-screen.ts';
import type { Screen } from '../screen.ts';
import { HELP_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { command, type Feature } from './feature.ts';

/** Ends an open question. The argument is the question that was open, if there was one. */
export function cancel(): Feature {
  return {
    commands: [command('cancel', 'End the question that I asked you')],
    steps: {
      cancel: ({ argument }) => (argument === '' ? nothingOpenScreen() : cancelledScreen()),
    },
  };
}

function cancelledScreen(): Screen {
  return plainScreen('cancelled', ['Cancelled. Nothing was changed.'], [[MENU_BUTTONS, HELP_BUTTON]]);
}

function nothingOpenScreen(): Screen {
  return plainScreen(
    'nothing_to_cancel',
    ['There is nothing to cancel: I am not waiting for an answer.'],
    [[MENU_BUTTONS, HELP_BUTTON]],
  );
}
