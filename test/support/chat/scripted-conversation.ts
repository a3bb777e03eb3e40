import type { ChatCommand, Conversation, Move } from '../../../bots/shared/conversation.ts';
import { plainScreen, type Screen, unknownCommand } from '../../../bots/shared/screen.ts';
import type { Visitor } from '../../../src/core/accounts/customers/customer.ts';

export interface ScriptedConversation extends Conversation {
  readonly moves: { readonly visitor: Visitor; readonly move: Move }[];
  readonly confirmed: string[];
}

export const SECRET = `sk_live_${'k'.repeat(43)}`;

/** A conversation with a line for every kind of screen. `screens` are answers to moves, by command, action or `text`. */
export function createScriptedConversation(
  screens: Readonly<Record<string, Screen | (() => Promise<Screen>)>> = {},
): ScriptedConversation {
  const known: typeof screens = { ...SCREENS, ...screens };
  const moves: ScriptedConversation['moves'] = [];
  const confirmed: string[] = [];
  return {
    commands: SCRIPTED_COMMANDS,
    moves,
    confirmed,
    async move(visitor, move) {
      moves.push({ visitor, move });
      const answer = known[keyOf(move)];
      if (answer === undefined) return unknownCommand();
      return typeof answer === 'function' ? answer() : answer;
    },
    async shown({ secret }) {
      confirmed.push(secret?.request ?? 'none');
    },
  };
}

export const SCRIPTED_COMMANDS: readonly ChatCommand[] = [
  { name: 'start', description: 'The menu', argument: null },
  { name: 'key', description: 'Get an API key', argument: null },
  { name: 'link', description: 'Link', argument: { name: 'code', description: 'The code' } },
];

export const scriptedSecretScreen: Screen = {
  ...plainScreen('key', [['Your key: ', { code: SECRET }]], [[{ label: 'Hide', action: 'hide' }]]),
  secret: { text: SECRET, keyId: 'key_1', request: 'request-1' },
};

const SCREENS: Readonly<Record<string, Screen>> = {
  start: plainScreen('start', ['Hello.'], [[{ label: 'Get a key', action: 'key' }]]),
  key: scriptedSecretScreen,
  hide: plainScreen('hidden', ['Hidden.'], [[{ label: 'Rename', action: 'rename' }]]),
  link: plainScreen('linked', ['Linked.'], []),
  rename: {
    ...plainScreen('rename', ['Which name?'], [[{ label: 'Keep it', action: 'start' }]]),
    ask: { action: 'rename_to:key_1', label: 'New name' },
  },
  text: plainScreen('text', ['You wrote.'], []),
};

function keyOf(move: Move): string {
  if (move.kind === 'command') return move.name;
  return move.kind === 'tap' ? move.action : 'text';
}
