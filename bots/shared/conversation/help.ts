import type { ChatCommand } from '../conversation.ts';
import { type Paragraph, plainScreen } from '../screen.ts';
import {
  ABOUT_ALERTS_BUTTON,
  FOLLOW_BUTTON,
  GET_KEY_BUTTON,
  HELP_BUTTON,
  LAST_ALERTS_BUTTON,
  MENU_BUTTONS,
  UPGRADE_BUTTON,
} from './buttons.ts';
import { type ConversationDeps, chatCommand, type Feature } from './feature.ts';

const HELP_COMMAND = chatCommand('help', 'What I can do');

/** The commands by purpose. Those in no group are in the last one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Your own alerts': ['follows', 'follow', 'mute', 'quiet', 'connect'],
  'All alerts': ['alerts', 'alert', 'hot', 'record', 'status', 'about'],
  'API keys': ['key', 'keys', 'trial', 'upgrade'],
  'You and this chat': [],
};

export function help({ publicUrl }: ConversationDeps, others: readonly ChatCommand[]): Feature {
  const docs = `${publicUrl}/docs`;
  const body = [...groups([...others, HELP_COMMAND]), ['How to use a key: ', { link: docs, text: docs }]];
  const buttons = [
    [ABOUT_ALERTS_BUTTON, UPGRADE_BUTTON],
    [GET_KEY_BUTTON, MENU_BUTTONS],
  ];
  return { commands: [HELP_COMMAND], steps: { help: () => plainScreen('help', body, buttons) } };
}

function groups(commands: readonly ChatCommand[]): readonly Paragraph[] {
  const grouped = new Set(Object.values(GROUPS).flat());
  return Object.entries(GROUPS).flatMap(([title, names]) => {
    const own =
      names.length === 0
        ? commands.filter(({ name }) => !grouped.has(name))
        : names.flatMap((name) => commands.filter((command) => command.name === name));
    const lines = own.map(({ name, description }) => `\n/${name}: ${description}`);
    return own.length === 0 ? [] : [[{ bold: title }, ...lines]];
  });
}

/** The step for a text that is neither an answer nor a command. */
export const HINT_STEP = 'hint';

export function hint(): Feature {
  return {
    steps: {
      [HINT_STEP]: () =>
        plainScreen(
          'hint',
          [
            'I understand buttons and commands, not sentences. The most used:',
            '/follow: get your own alerts; an address or a link is enough\n/alerts: the newest alerts\n/about: what an alert means\n/key: an API key\n/help: everything I can do',
          ],
          [
            [FOLLOW_BUTTON, LAST_ALERTS_BUTTON],
            [ABOUT_ALERTS_BUTTON, HELP_BUTTON, MENU_BUTTONS],
          ],
        ),
    },
  };
}
