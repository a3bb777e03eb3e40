import type { ChatState } from './chat-message.ts';

/** Metrics of the chat outbox. */
export interface ChatMetrics {
  /** A chat message was sent, or is not to be. */
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
}
