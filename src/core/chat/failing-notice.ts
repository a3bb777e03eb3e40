import type { FailingNotice } from '../delivery/webhooks/delivery-engine-options.ts';
import type { ChatOutbox } from './chat-queue.ts';

/** Stores notices of failing webhooks as messages to their owners. They resolve to false if there is one with this id. */
export function createFailingNotices(chat: Pick<ChatOutbox, 'add'>) {
  return async ({ id, keyId, at, ...facts }: FailingNotice): Promise<boolean> => {
    const times = { createdAt: at, dueAt: at };
    const added = await chat.add([
      { id, recipient: `key:${keyId}`, kind: 'webhook_failing', facts, ...times },
    ]);
    return added.length > 0;
  };
}
