import type { ChatState } from './chat-message.ts';

/** Metrics of the chat outbox. */
export interface ChatMetrics {
  /** A chat message reached a final state. */
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
}
