import {
  type ChatKind,
  type ChatMessage,
  type ChatState,
  type NewChatMessage,
  postFactsOf,
} from '../../core/chat/chat-message.ts';
import { queueOf } from '../../core/chat/chat-queue.ts';

export const CHAT_COLUMNS =
  'id, recipient, kind, facts, created_at, due_at, state, attempts, error, place, sent_at';

export interface ChatRow {
  readonly id: string;
  readonly recipient: ChatMessage['recipient'];
  readonly kind: ChatKind;
  readonly facts: string;
  readonly created_at: number;
  readonly due_at: number;
  readonly state: ChatState;
  readonly attempts: number;
  readonly error: string | null;
  readonly place: string | null;
  readonly sent_at: number | null;
}

/** `facts` are those of the row's kind: only `add` writes them, and a post and its update have the same. */
export function toChatMessage(row: ChatRow): ChatMessage {
  return {
    id: row.id,
    recipient: row.recipient,
    kind: row.kind,
    facts: JSON.parse(row.facts),
    createdAt: row.created_at,
    dueAt: row.due_at,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    place: row.place,
    sentAt: row.sent_at,
  };
}

export function valuesOf(message: NewChatMessage) {
  const { id, recipient, kind, facts, createdAt, dueAt } = message;
  const post = postFactsOf(message);
  const found = [post?.alertId ?? null, post?.threadId ?? null, post?.marketId ?? null] as const;
  return [
    id,
    recipient,
    queueOf(recipient),
    kind,
    JSON.stringify(facts),
    ...found,
    createdAt,
    dueAt,
  ] as const;
}
