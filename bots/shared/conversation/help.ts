import type { ChatCommand } from '../conversation.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import {
  ABOUT_ALERTS_BUTTON,
  FOLLOW_BUTTON,
  GET_KEY_BUTTON,
  HELP_BUTTON,
  LAST_ALERTS_BUTTON,
  MENU_BUTTONS,
  UPGRADE_BUTTON,
} from './buttons.ts';
import type { ConversationDeps, Feature } from './feature.ts';

const HELP_COMMAND: ChatCommand = {
  name: 'help',
  description: 'What I can do',
  argument: { name: 'more', description: 'more: every command' },
};
/** What most people need, in their words. */
const FIRST_COMMANDS = [
  '/follow: choose alerts, and I send them to you here',
  '/follows: what you follow, to change, pause or remove it',
  '/alerts: the newest alerts',
  '/settings: quiet hours and your time zone',
  '/stop: mute everything',
  '/key: an API key for your programs',
].join('\n');

/** The commands by purpose. Those in no group are in the last one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Your own alerts': ['follow', 'follows', 'mute', 'stop', 'quiet', 'settings'],
  'All alerts': ['alerts', 'alert', 'hot', 'record', 'status', 'about'],
  'API keys': ['key', 'keys', 'upgrade'],
  'You and this chat': [],
};

export function help({ publicUrl }: ConversationDeps, others: readonly ChatCommand[]): Feature {
  const docs = `${publicUrl}/docs`;
  const docsLine: Paragraph = ['How to use a key: ', { link: docs, text: docs }];
  const all = groups([...others, HELP_COMMAND]);
  const after: Screen['buttons'] = [
    [ABOUT_ALERTS_BUTTON, UPGRADE_BUTTON],
    [GET_KEY_BUTTON, MENU_BUTTONS],
  ];
  const more = { label: 'More', action: 'help:more' };
  return {
    commands: [HELP_COMMAND],
    steps: {
      help: ({ argument }) =>
        argument.trim().toLowerCase() === 'more'
          ? plainScreen('help', [...all, docsLine], after)
          : plainScreen('help', [[{ bold: 'What I can do' }], FIRST_COMMANDS, docsLine], [[more], ...after]),
    },
  };
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
          ['I understand buttons and commands, not sentences. The most used:', FIRST_COMMANDS],
          [
            [FOLLOW_BUTTON, LAST_ALERTS_BUTTON],
            [ABOUT_ALERTS_BUTTON, HELP_BUTTON, MENU_BUTTONS],
          ],
        ),
    },
  };
}
