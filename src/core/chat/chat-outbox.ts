import type { NewChatMessage } from './chat-message.ts';

/** Where messages to people and channels are put; the bots send them. */
export interface ChatOutbox {
  /** Adds what is not there already. Returns the ids that are new. */
  add(messages: readonly NewChatMessage[]): Promise<readonly string[]>;
}
