import type { NewChatMessage } from './chat-message.ts';

/** Accepts messages to people and channels, which the bots send. */
export interface ChatOutbox {
  /** Adds the messages whose ids are new. Returns these ids. */
  add(messages: readonly NewChatMessage[]): Promise<readonly string[]>;
}
