import type { Conversation } from '../shared/conversation.ts';
import { unknownCommand } from '../shared/plain-screen.ts';

/** The conversation of a bot for operators only: others get the same answer to everything. */
export const operatorOnlyConversation: Conversation = {
  commands: [],
  move: async () => unknownCommand(),
  shown: async () => {},
};
