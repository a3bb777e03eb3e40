import { type Channel, isPost } from '../../../core/chat/chat-message.ts';
import type { ChatStore } from '../../../core/chat/chat-store.ts';
import { alertPostIds } from '../../../core/chat/message-ids.ts';
import { type ChatRow, toChatMessage } from './chat-rows.ts';
import type { Collection } from './collection.ts';
import type { Filter } from './filter.ts';

/** Causes of the edits in `editsOf`, with which their ids begin. */
const EDIT_CAUSES = ['result', 'redraw'] as const;
/** Posts that are, were, or may be in their channel, or are retried. */
const CHOSEN: readonly Filter<ChatRow>[] = [
  { state: { in: ['sending', 'sent', 'unknown'] } },
  { state: 'pending', attempts: { gt: 0 } },
  { sentAt: { present: true } },
];
/** Posts about which was decided whether they are among those of their day. */
const DECIDED: readonly Filter<ChatRow>[] = [...CHOSEN, { state: { in: ['folded', 'failed'] } }];

/** The queries for posts of alerts. */
export function createChatPosts(messages: Collection<ChatRow>) {
  return {
    countPosts: (channel, after) => messages.count({ ...postsAfter(channel, after), or: CHOSEN }),
    async undecided({ channel, until, limit }) {
      const waits = { state: 'pending', kind: 'alert', attempts: 0 } as const;
      const where = { ...waits, lane: `channel:${channel}`, dueAt: { lte: until } } as const;
      const found = await messages.find({ where, sort: ['createdAt', 'alertId'], limit });
      return found.map(toChatMessage).filter(isPost);
    },
    async countThreadsAbove({ channel, after, score, threadId }) {
      const other = { score: { gte: score }, threadId: { ne: threadId } } as const;
      const where = { ...postsAfter(channel, after), ...other, or: DECIDED };
      const found = await messages.pick(['threadId'], { where });
      return new Set(found.map((row) => row.threadId)).size;
    },
    async folded({ channel, from, until, limit }) {
      const endedAt = { gte: from, lt: until };
      const where = { recipient: `channel:${channel}`, state: 'folded', endedAt } as const;
      const found = await messages.pick(['alertId', 'threadId'], {
        where,
        sort: ['-score', 'alertId'],
        limit,
      });
      return found.map(({ alertId, threadId }) => ({ alertId: alertId ?? 0, threadId: threadId ?? 0 }));
    },
    async postsOf(alertId) {
      const found = await messages.find({ where: { id: { in: alertPostIds(alertId) } }, sort: ['id'] });
      return found.map(toChatMessage).filter(isPost);
    },
    async postsOfThread({ channel, threadId }) {
      const where = { threadId, recipient: `channel:${channel}` } as const;
      return (await messages.find({ where, sort: ['alertId'] })).map(toChatMessage).filter(isPost);
    },
    async editsOf(alertId) {
      const or = EDIT_CAUSES.map((cause) => ({
        id: { gte: `${cause}:${alertId}:`, lt: `${cause}:${alertId};` },
      }));
      return (await messages.find({ where: { or }, sort: ['id'] })).map(toChatMessage);
    },
    async postsOfMarket({ marketId, limit, after = '' }) {
      const state = { in: ['pending', 'sending', 'sent'] } as const;
      const where = { kind: 'alert', marketId, state, id: { gt: after } } as const;
      return (await messages.find({ where, sort: ['id'], limit })).map(toChatMessage);
    },
  } satisfies Partial<ChatStore>;
}

function postsAfter(channel: Channel, createdAt: number) {
  return { recipient: `channel:${channel}`, kind: 'alert', createdAt: { gt: createdAt } } as const;
}
