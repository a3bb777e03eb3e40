import type { ChatMetrics } from './chat-metrics.ts';
import type { ChatStore } from './chat-store.ts';

/** The outbox, and each message that this process ends in it is counted by how it ended. */
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
