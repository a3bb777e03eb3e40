import type { ChatCommand, Conversation, Move } from '../../../bots/shared/conversation.ts';
import { plainScreen, type Screen } from '../../../bots/shared/screen.ts';
import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';

/** A conversation that answers as a test says, and remembers what it was asked. */
export interface ScriptedConversation extends Conversation {
  readonly moves: { readonly visitor: Visitor; readonly move: Move }[];
  readonly shownScreens: Screen[];
  answer: (move: Move, visitor: Visitor) => Screen | Promise<Screen>;
}

export const KEY = `sk_live_${'k'.repeat(43)}`;

export const SCRIPTED_COMMANDS: readonly ChatCommand[] = [
  { name: 'start', description: 'The menu', argument: null },
  { name: 'key', description: 'Get an API key', argument: null },
  { name: 'link', description: 'Link', argument: { name: 'code', description: 'The code' } },
];

/** Commands and taps lead to the screens of the script; whatever it does not know is repeated. */
export function scriptedConversation(): ScriptedConversation {
  const conversation: ScriptedConversation = {
    commands: SCRIPTED_COMMANDS,
    moves: [],
    shownScreens: [],
    answer: (move) => SCREENS[keyOf(move)] ?? page(`heard ${JSON.stringify(move)}`),
    async move(visitor, move) {
      conversation.moves.push({ visitor, move });
      return conversation.answer(move, visitor);
    },
    async shown(screen) {
      conversation.shownScreens.push(screen);
    },
  };
  return conversation;
}

export function page(
  text: string,
  buttons: Screen['buttons'] = [[{ label: 'Next', action: 'next' }]],
): Screen {
  return plainScreen('page', [text], buttons);
}

export function secretPage(): Screen {
  return {
    ...plainScreen('key_shown', [[{ code: KEY }]], [[{ label: 'Done, hide it', action: 'hide' }]]),
    secret: { text: KEY, keyId: 'key_1', request: 'r1' },
  };
}

const SCREENS: Readonly<Record<string, Screen>> = {
  start: page('Hello.', [[{ label: 'Get a key', action: 'key' }]]),
  key: secretPage(),
  hide: page('Hidden.', [[{ label: 'Rename', action: 'rename' }]]),
  rename: {
    ...page('Which name?', [[{ label: 'Keep it', action: 'start' }]]),
    ask: { action: 'rename_to:key_1', label: 'New name' },
  },
};

function keyOf(move: Move): string {
  if (move.kind === 'command') return move.name;
  return move.kind === 'tap' ? move.action : move.kind;
}
