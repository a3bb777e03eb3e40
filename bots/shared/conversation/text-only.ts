import { plainScreen } from '../plain-screen.ts';
import { HELP_BUTTON, MENU_BUTTONS } from './buttons.ts';
import type { Feature } from './feature.ts';

/** The step for photos, stickers, voice messages and other content without text. */
export const CONTENT_STEP = 'content';

/** The answer to content that the bot cannot read. The renderers limit it to one a minute and person. */
export function textOnly(): Feature {
  return {
    commands: [],
    steps: {
      [CONTENT_STEP]: () =>
        plainScreen(
          'text_only',
          ['Thank you, but I read only text and buttons. /help lists what I can do.'],
          [[MENU_BUTTONS, HELP_BUTTON]],
        ),
    },
  };
}
