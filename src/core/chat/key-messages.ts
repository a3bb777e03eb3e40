import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { type BotName, CHANNELS } from './chat-message.ts';

const BOTS: readonly BotName[] = [...CHANNELS, 'telegram_admin'];

const schema = z.strictObject({
  /** `${bot} ${messageRef}`. */
  id: z.string(),
  /** The bot that sent it; no other bot can remove it. */
  bot: z.enum(BOTS),
  /** `chat:message`. */
  messageRef: z.string(),
  /** The request that gave the key. */
  request: z.string(),
  createdAt: z.int(),
  /** When it is removed, or removed again after a failure. */
  dueAt: z.int(),
  attempts: z.int(),
});
type MessageDocument = z.infer<typeof schema>;

/** A message in a chat that shows a key. Neither the key nor a part of it is stored. */
export type KeyMessage = Omit<MessageDocument, 'id'>;

/** Identifies a message. */
type KeyMessageId = Pick<KeyMessage, 'bot' | 'messageRef'>;

const KEY_MESSAGES: Declaration<MessageDocument> = {
  kind: 'key_messages',
  schema,
  indexes: {
    key_messages_due: { fields: ['bot', 'dueAt'] },
    key_messages_by_request: { fields: ['bot', 'request', 'createdAt'] },
  },
};

/** Messages that show a key and are not removed yet. */
export class StoredKeyMessages {
  readonly #messages: Documents<MessageDocument>;

  constructor(open: OpenDocuments) {
    this.#messages = open(KEY_MESSAGES);
  }

  /** No effect when the message is stored. */
  async add(message: KeyMessage): Promise<void> {
    await this.#messages.insertMissing([{ id: idOf(message), ...message }]);
  }

  /** The newest message of the bot that shows the key of this request; null without one. */
  async ofRequest(bot: BotName, request: string): Promise<KeyMessage | null> {
    const [newest] = await this.#messages.find({ where: { bot, request }, order: '-createdAt', limit: 1 });
    return newest ?? null;
  }

  /** The bot's messages in the order in which they are due, including those not due yet. */
  next(bot: BotName, limit: number): Promise<readonly KeyMessage[]> {
    return this.#messages.find({ where: { bot }, order: 'dueAt', limit });
  }

  /** Counts a failed attempt. No effect without such a message. */
  async postpone(message: KeyMessageId, dueAt: EpochMs): Promise<void> {
    await this.#messages.update({ id: idOf(message) }, { set: { dueAt }, inc: { attempts: 1 } });
  }

  async remove(message: KeyMessageId): Promise<void> {
    await this.#messages.delete({ id: idOf(message) });
  }

  /** All messages in these chats, of any bot. */
  async inChats(chats: readonly string[]): Promise<readonly KeyMessage[]> {
    return (await Promise.all(rangesOf(chats).map((id) => this.#messages.find({ where: { id } })))).flat();
  }

  async removeInChats(chats: readonly string[]): Promise<void> {
    await Promise.all(rangesOf(chats).map((id) => this.#messages.delete({ id })));
  }
}

function idOf({ bot, messageRef }: KeyMessageId): string {
  return `${bot} ${messageRef}`;
}

/** The ids of a chat's messages begin with bot, chat and a colon, which `;` follows. */
function rangesOf(chats: readonly string[]) {
  return chats.flatMap((chat) => BOTS.map((bot) => ({ gte: `${bot} ${chat}:`, lt: `${bot} ${chat};` })));
}
