import type { ChatCommand } from '../conversation.ts';
import { plainScreen } from '../plain-screen.ts';
import { ABOUT_ALERTS_BUTTON, GET_KEY_BUTTON, MENU_BUTTONS } from './buttons.ts';
import { type ConversationDeps, command, type Feature } from './feature.ts';

const HELP_COMMAND = command('help', 'What I can do');

/** Every command in a line, and where the rest is written. */
export function help({ publicUrl }: ConversationDeps, others: readonly ChatCommand[]): Feature {
  const docs = `${publicUrl}/docs`;
  const lines = [...others, HELP_COMMAND].map(({ name, description }) => `/${name}: ${description}`);
  return {
    commands: [HELP_COMMAND],
    steps: {
      help: () =>
        plainScreen(
          'help',
          [
            [{ bold: 'What I can do' }],
            lines.join('\n'),
            ['How to use a key: ', { link: docs, text: docs }],
            'Enterprise keys (no limit, webhooks) come from the operator of this service: ask in the community.',
          ],
          [[ABOUT_ALERTS_BUTTON], [GET_KEY_BUTTON, MENU_BUTTONS]],
        ),
    },
  };
}
