import {
  type ChatKind,
  type ChatMessage,
  type ChatQueue,
  type NewChatMessage,
  postFactsOf,
  queueOf,
} from '../../../core/chat/chat-message.ts';
import type { Declaration } from './collection.ts';

export interface ChatRow extends Omit<ChatMessage, 'kind' | 'facts'> {
  readonly kind: ChatKind;
  readonly facts: ChatMessage['facts'];
  readonly lane: ChatQueue;
  /** Of a post of an alert, an update of one, and a personal message about one; null for other kinds. */
  readonly alertId: number | null;
  readonly threadId: number | null;
  readonly marketId: string | null;
  readonly score: number | null;
  readonly endedAt: number | null;
  /** The process that sends it. */
  readonly owner: string | null;
  readonly claimedAt: number | null;
}

const POSTS = { kind: 'alert' } as const;
/** The index by which the alerts of one person are read. */
export const BY_PERSON = 'chat_messages_of_person';

export const CHAT_MESSAGES: Declaration<ChatRow> = {
  name: 'chat_messages',
  fields: {
    id: 'text',
    recipient: 'text',
    lane: 'text',
    kind: 'text',
    facts: 'value',
    alertId: 'integer?',
    threadId: 'integer?',
    marketId: 'text?',
    score: 'integer?',
    createdAt: 'integer',
    dueAt: 'integer',
    state: 'text',
    attempts: 'integer',
    error: 'text?',
    place: 'text?',
    sentAt: 'integer?',
    unsureSince: 'integer?',
    endedAt: 'integer?',
    owner: 'text?',
    claimedAt: 'integer?',
  },
  key: ['id'],
  indexes: {
    chat_messages_due: { fields: ['lane', 'dueAt', 'id'], where: { state: 'pending' } },
    chat_messages_claimed: { fields: ['claimedAt', 'id'], where: { state: 'sending' } },
    chat_messages_by_recipient: { fields: ['recipient', 'kind', 'sentAt'] },
    chat_messages_by_market: { fields: ['marketId', 'id'], where: POSTS },
    chat_messages_folded: { fields: ['recipient', 'endedAt'], where: { state: 'folded' } },
    chat_messages_unknown: { fields: ['endedAt', 'id'], where: { state: 'unknown' } },
    chat_messages_posts: { fields: ['recipient', 'createdAt'], where: POSTS },
    chat_messages_ended: { fields: ['endedAt', 'state'] },
    chat_messages_waiting: { fields: ['recipient', 'dueAt'], where: { state: 'pending' } },
    [BY_PERSON]: { fields: ['recipient', 'createdAt', 'score'], where: { kind: 'personal_alert' } },
    chat_messages_by_thread: {
      fields: ['threadId', 'recipient', 'id'],
      where: { threadId: { present: true } },
    },
  },
};

export function newChatRow(message: NewChatMessage): ChatRow {
  const { alertId = null, threadId = null, marketId = null, score = null } = postFactsOf(message) ?? {};
  const start = { state: 'pending', attempts: 0, error: null, place: null, sentAt: null } as const;
  const unclaimed = { unsureSince: null, endedAt: null, owner: null, claimedAt: null };
  return {
    ...message,
    lane: queueOf(message),
    alertId,
    threadId,
    marketId,
    score,
    ...start,
    ...unclaimed,
  };
}

/** `facts` are those of the row's kind: only `add` writes them, and a post and its update have the same. */
export function toChatMessage(row: ChatRow): ChatMessage {
  const { lane, alertId, threadId, marketId, score, endedAt, owner, claimedAt, ...message } = row;
  return message as ChatMessage;
}
