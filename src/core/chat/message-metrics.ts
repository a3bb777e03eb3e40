import type { ChatState } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

/** Adds to a store: messages that this process ends are counted by their final state. */
export function withMessageMetrics(
  store: ChatStore,
  { chatMessageEnded }: Pick<ChatMetrics, 'chatMessageEnded'>,
): ChatStore {
  return {
    ...store,
    async finish(id, owner, change) {
      const isDone = await store.finish(id, owner, change);
      if (isDone && change.state !== 'pending') chatMessageEnded(change.state);
      return isDone;
    },
    async giveUp(id, change) {
      const isDone = await store.giveUp(id, change);
      if (isDone) chatMessageEnded(change.state);
      return isDone;
    },
  };
}

/** Metrics of the bots and of the chat outbox. */
export interface ChatMetrics {
  /** A chat message reached a final state. */
  chatMessageEnded(state: Exclude<ChatState, 'pending' | 'sending' | 'withdrawn'>): void;
  /** An update of a person is not answered: too many wait. */
  chatUpdateDropped(): void;
}
