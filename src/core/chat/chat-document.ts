import { z } from 'zod';
import type { Declaration } from '../base/documents/documents.ts';
import { CHAT_STATES, type ChatMessage, type NewChatMessage, queueOf } from './chat-message.ts';

/** Facts by which messages are found. */
interface SearchedFacts {
  readonly threadId?: number;
  readonly marketId?: string;
  readonly seq?: number;
  /** Only alerts to people have it. */
  readonly isFollow?: boolean;
}

const schema = z.strictObject({
  id: z.string(),
  recipient: z.string(),
  /** Queue in which it is sent (`queueOf`). */
  lane: z.string(),
  kind: z.string(),
  facts: z.custom<SearchedFacts>((facts) => typeof facts === 'object'),
  createdAt: z.int(),
  dueAt: z.int(),
  state: z.enum(CHAT_STATES),
  attempts: z.int(),
  error: z.string().nullable(),
  place: z.string().nullable(),
  sentAt: z.int().nullable(),
  unsureSince: z.int().nullable(),
  endedAt: z.int().nullable(),
  /** End of its retention; null before its end. */
  expiresAt: z.int().nullable(),
  /** By the process that sends it. */
  claim: z.strictObject({ owner: z.string(), at: z.int() }).nullable(),
});
/** A message as it is stored. */
export type ChatDocument = z.infer<typeof schema>;

/** Messages to people and channels, those that were sent among them. */
export const CHAT_MESSAGES: Declaration<ChatDocument> = {
  kind: 'chat_messages',
  schema,
  indexes: {
    // First: counts of what waits would take the next as well, and read each message.
    chat_messages_by_state: { fields: ['state', 'endedAt'] },
    chat_messages_due: { fields: ['lane', 'dueAt'], where: { state: 'pending' } },
    chat_messages_by_kind: { fields: ['recipient', 'kind', 'createdAt'] },
    chat_messages_by_end: { fields: ['recipient', 'state', 'endedAt'] },
    chat_messages_by_thread: {
      fields: ['facts.threadId', 'recipient'],
      where: { 'facts.threadId': { gte: 0 } },
    },
    chat_messages_by_market: { fields: ['facts.marketId'], where: { kind: 'alert' } },
    chat_messages_expiring: { fields: ['expiresAt'], where: { expiresAt: { gte: 0 } } },
  },
};

/** A message that waits for its first attempt. */
export function newDocument(message: NewChatMessage): ChatDocument {
  return {
    ...message,
    facts: message.facts as SearchedFacts,
    lane: queueOf(message),
    state: 'pending',
    attempts: 0,
    error: null,
    place: null,
    sentAt: null,
    unsureSince: null,
    endedAt: null,
    expiresAt: null,
    claim: null,
  };
}

/** `facts` are those of the kind: only `newDocument` sets them, and a post and its update have the same. */
export function toMessage(document: ChatDocument): ChatMessage {
  const { lane, endedAt, expiresAt, claim, ...message } = document;
  return message as unknown as ChatMessage;
}
