import type { HandleId } from '../accounts/customers/customer.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { BotName } from './chat-message.ts';

/** A message in a chat that shows a key. Neither the key nor a part of it is stored. */
export interface KeyMessage {
  /** The bot that sent it; no other bot can remove it. */
  readonly bot: BotName;
  /** `chat:message`. */
  readonly messageRef: string;
  /** The request that gave the key. */
  readonly request: string;
  readonly createdAt: EpochMs;
  /** When it is removed, or removed again after a failure. */
  readonly dueAt: EpochMs;
  readonly attempts: number;
}

/** Identifies a message. */
export type KeyMessageId = Pick<KeyMessage, 'bot' | 'messageRef'>;

/** Messages that show a key and are not removed yet. */
export interface KeyMessageStore {
  /** No effect when the message is stored. */
  add(message: KeyMessage): Promise<void>;
  /** The newest message of the bot that shows the key of this request; null without one. */
  ofRequest(bot: BotName, request: string): Promise<KeyMessage | null>;
  /** The bot's messages in the order in which they are due, including those not due yet. */
  next(bot: BotName, limit: number): Promise<readonly KeyMessage[]>;
  /** Counts a failed attempt. No effect without such a message. */
  postpone(id: KeyMessageId, dueAt: EpochMs): Promise<void>;
  remove(id: KeyMessageId): Promise<void>;
  /** All messages in these chats, of any bot. */
  inChats(chats: readonly string[]): Promise<readonly KeyMessage[]>;
  removeInChats(chats: readonly string[]): Promise<void>;
}

/** A question that a person was asked in chat; their next line of text answers it. A person has at most one. */
export interface OpenQuestion extends HandleId {
  /** The action that gets the line. */
  readonly action: string;
  readonly expiresAt: EpochMs;
}

/** Open questions, by person. */
export interface QuestionStore {
  /** Replaces the person's former question. */
  put(question: OpenQuestion): Promise<void>;
  /** Expired questions included. */
  get(person: HandleId): Promise<OpenQuestion | null>;
  remove(person: HandleId): Promise<void>;
  prune(now: EpochMs): Promise<number>;
}
