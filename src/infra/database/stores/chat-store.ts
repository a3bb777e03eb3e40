import { CHAT_STATES, type ChatState } from '../../../core/chat/chat-message.ts';
import type { ChatChange, ChatStore, UnknownChange } from '../../../core/chat/chat-store.ts';
import { createChatPosts } from './chat-posts.ts';
import { CHAT_MESSAGES, type ChatRow, newChatRow, toChatMessage } from './chat-rows.ts';
import type { Change, Collection, OpenCollection } from './collection.ts';
import { createCursors } from './cursors.ts';
import type { Filter } from './filter.ts';

/** Pending, and surely not sent. */
const UNSENT = { state: 'pending', unsureSince: null } as const;
type Messages = Collection<ChatRow>;

export function createChatStore(open: OpenCollection): ChatStore {
  const messages = open(CHAT_MESSAGES);
  const cursors = createCursors(open);
  return {
    ...createChanges(messages),
    ...createReads(messages),
    ...createChatPosts(messages),
    cursor: cursors.read,
    advance: cursors.advance,
  };
}

function createChanges(messages: Messages) {
  const change = async (where: Filter<ChatRow>, update: Change<ChatRow>) =>
    (await messages.update(where, update)) === 1;
  return {
    add: async (added) => (await messages.insertNew(added.map(newChatRow))).map(({ id }) => id),
    claim: (id, { owner, at: claimedAt }) =>
      change({ id, state: 'pending' }, { set: { state: 'sending', owner, claimedAt } }),
    finish: (id, owner, end) => change({ id, state: 'sending', owner }, updateOf(end)),
    giveUp: (id, end) =>
      change(end.state === 'unknown' ? { id, state: 'pending' } : { id, ...UNSENT }, updateOf(end)),
    makeUpdate: (id) => change({ id, kind: 'alert', ...UNSENT }, { set: { kind: 'alert_update' } }),
    decide: (id, end) => change({ id, state: 'unknown' }, decisionOf(end)),
    endGone: (id, { error, at: endedAt }) =>
      change({ id, state: 'sent' }, { set: { state: 'dropped', error, endedAt } }),
    withdraw: (id, endedAt) => {
      const wasSent = { state: 'dropped', sentAt: { present: true } } as const;
      const where = { id, or: [{ state: { in: ['sent', 'unknown'] } }, UNSENT, wasSent] } as const;
      return change(where, { set: { state: 'withdrawn', endedAt } });
    },
    removeOf: (recipients) => messages.delete({ recipient: { in: recipients } }),
    async prune({ endedBefore, postsBefore, limit }) {
      const or = [
        { endedAt: { lt: postsBefore } },
        { kind: { notIn: ['alert', 'alert_update'] } },
        { state: { notIn: ['sent', 'withdrawn'] } },
      ] as const;
      const where = { endedAt: { lt: endedBefore }, or };
      const old = await messages.pick(['id'], { where, sort: ['endedAt'], limit });
      return old.length === 0 ? 0 : messages.delete({ id: { in: old.map(({ id }) => id) } });
    },
  } satisfies Partial<ChatStore>;
}

function updateOf(change: ChatChange): Change<ChatRow> {
  const { state } = change;
  const unclaimed = { owner: null, claimedAt: null };
  if (change.state === 'pending') {
    const { dueAt, error, unsureSince } = change;
    const unsure = unsureSince === undefined ? {} : { unsureSince };
    return { set: { state, dueAt, error, endedAt: null, ...unsure, ...unclaimed }, add: { attempts: 1 } };
  }
  const ended = { state, endedAt: change.at, ...unclaimed };
  if (change.state === 'sent') {
    const sent = { place: change.place, sentAt: change.at, error: null, unsureSince: null };
    return { set: { ...ended, ...sent }, add: { attempts: 1 } };
  }
  const { error } = change;
  if (change.state !== 'unknown')
    return { set: { ...ended, error }, add: { attempts: Number(state === 'failed') } };
  return { set: { ...ended, error, unsureSince: change.unsureSince }, add: { attempts: 1 } };
}

/** What is sent again counts as new, since it may be too old by now. */
function decisionOf(change: UnknownChange): Change<ChatRow> {
  if (change.state === 'failed')
    return { set: { state: 'failed', error: change.error, endedAt: change.at, unsureSince: null } };
  const { dueAt } = change;
  const fresh = { error: null, endedAt: null, unsureSince: null };
  return { set: { state: 'pending', dueAt, createdAt: dueAt, ...fresh } };
}

function createReads(messages: Messages) {
  return {
    async byId(id) {
      const found = await messages.get(id);
      return found === null ? null : toChatMessage(found);
    },
    async due({ lane, now, limit, after }) {
      const where = { state: 'pending', lane, dueAt: { lte: now } } as const;
      return (await messages.find({ where, sort: ['dueAt', 'id'], limit, after })).map(toChatMessage);
    },
    async claims(limit) {
      const found = await messages.find({ where: { state: 'sending' }, sort: ['claimedAt', 'id'], limit });
      return found.map((row) => ({
        owner: row.owner ?? '',
        claimedAt: row.claimedAt ?? 0,
        message: toChatMessage(row),
      }));
    },
    async unknown(limit) {
      const where = { state: 'unknown' } as const;
      return (await messages.find({ where, sort: ['-endedAt', '-id'], limit })).map(toChatMessage);
    },
    async givenUp({ since, limit }) {
      const where = { endedAt: { gte: since }, state: { in: ['failed', 'dropped'] } } as const;
      return (await messages.find({ where, sort: ['-endedAt'], limit })).map(toChatMessage);
    },
    async counts() {
      const held = await messages.countBy('state');
      const counts = CHAT_STATES.map((state) => [state, held.get(state) ?? 0]);
      return Object.fromEntries(counts) as Record<ChatState, number>;
    },
  } satisfies Partial<ChatStore>;
}
