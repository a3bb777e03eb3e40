import { type BotName, CHANNELS } from '../../../core/chat/chat-message.ts';
import type {
  KeyMessage,
  KeyMessageStore,
  OpenQuestion,
  QuestionStore,
} from '../../../core/chat/conversation-stores.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const KEY_MESSAGES: Declaration<KeyMessage> = {
  name: 'key_messages',
  fields: {
    bot: 'text',
    messageRef: 'text',
    request: 'text',
    createdAt: 'integer',
    dueAt: 'integer',
    attempts: 'integer',
  },
  key: ['bot', 'messageRef'],
  separator: ' ',
  indexes: {
    key_messages_due: { fields: ['bot', 'dueAt', 'messageRef'] },
    key_messages_by_request: { fields: ['bot', 'request', 'createdAt'] },
  },
};

const BOTS: readonly BotName[] = [...CHANNELS, 'telegram_admin'];

export function createKeyMessageStore(open: OpenCollection): KeyMessageStore {
  const messages = open(KEY_MESSAGES);
  /** By the key: a chat's references begin with it and a colon, which `;` follows. */
  const inChats = (chats: readonly string[]) =>
    chats.flatMap((chat) => BOTS.map((bot) => ({ bot, messageRef: { gte: `${chat}:`, lt: `${chat};` } })));
  return {
    add: async (message) => void (await messages.insertNew([message])),
    ofRequest: async (bot, request) =>
      (await messages.find({ where: { bot, request }, sort: ['-createdAt'], limit: 1 }))[0] ?? null,
    next: (bot, limit) => messages.find({ where: { bot }, sort: ['dueAt', 'messageRef'], limit }),
    postpone: async ({ bot, messageRef }, dueAt) =>
      void (await messages.update({ bot, messageRef }, { set: { dueAt }, add: { attempts: 1 } })),
    remove: async ({ bot, messageRef }) => void (await messages.delete({ bot, messageRef })),
    inChats: async (chats) =>
      (await Promise.all(inChats(chats).map((where) => messages.find({ where })))).flat(),
    removeInChats: async (chats) =>
      void (await Promise.all(inChats(chats).map((where) => messages.delete(where)))),
  };
}

const QUESTIONS: Declaration<OpenQuestion> = {
  name: 'chat_questions',
  fields: { platform: 'text', userId: 'text', action: 'text', expiresAt: 'integer' },
  key: ['platform', 'userId'],
  separator: ':',
  indexes: { chat_questions_by_end: { fields: ['expiresAt'] } },
};

export function createQuestionStore(open: OpenCollection): QuestionStore {
  const questions = open(QUESTIONS);
  return {
    put: async (question) => void (await questions.put(question)),
    get: ({ platform, userId }) => questions.get(platform, userId),
    remove: async ({ platform, userId }) => void (await questions.delete({ platform, userId })),
    prune: (now) => questions.delete({ expiresAt: { lte: now } }),
  };
}
