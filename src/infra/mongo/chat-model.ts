import { type Connection, type Model, Schema } from 'mongoose';
import type { ChatKind, ChatMessage } from '../../core/chat/chat-message.ts';
import type { ChatQueue } from '../../core/chat/chat-queue.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface ChatDocument extends Omit<ChatMessage, 'id' | 'kind' | 'facts'> {
  readonly _id: string;
  readonly kind: ChatKind;
  readonly facts: ChatMessage['facts'];
  readonly lane: ChatQueue;
  /** Of a post of an alert, and of an update of one; null for other kinds. */
  readonly alertId: number | null;
  readonly threadId: number | null;
  readonly marketId: string | null;
  readonly endedAt: number | null;
  /** Who sends it, since when. */
  readonly owner: string | null;
  readonly claimedAt: number | null;
}

const chatSchema = new Schema<ChatDocument>(
  {
    _id: String,
    recipient: String,
    lane: String,
    kind: String,
    facts: Schema.Types.Mixed,
    alertId: Number,
    threadId: Number,
    marketId: String,
    createdAt: Number,
    dueAt: Number,
    state: String,
    attempts: Number,
    error: String,
    place: String,
    sentAt: Number,
    endedAt: Number,
    owner: String,
    claimedAt: Number,
  },
  { ...SCHEMA_OPTIONS, collection: 'chat_messages' },
);
chatSchema.index({ state: 1, lane: 1, dueAt: 1, _id: 1 });
chatSchema.index({ claimedAt: 1, _id: 1 }, { partialFilterExpression: { state: 'sending' } });
chatSchema.index({ recipient: 1, kind: 1, sentAt: 1 });
chatSchema.index({ threadId: 1, recipient: 1 }, { partialFilterExpression: { threadId: { $gt: 0 } } });
chatSchema.index({ marketId: 1, _id: 1 }, { partialFilterExpression: { kind: 'alert' } });
chatSchema.index({ recipient: 1, endedAt: 1 }, { partialFilterExpression: { state: 'folded' } });
chatSchema.index({ endedAt: 1 });

export function createChatMessageModel(connection: Connection): Model<ChatDocument> {
  return connection.model<ChatDocument>('ChatMessage', chatSchema);
}
