import {
  alertPostIds,
  CHAT_STATES,
  type ChatState,
  isPost,
  type PersonalAlertMessage,
} from '../../../core/chat/chat-message.ts';
import type { ChatChange, ChatStore, PersonalReads } from '../../../core/chat/chat-store.ts';
import { EDIT_CAUSES } from '../../../core/chat/thread-post.ts';
import { BY_PERSON, CHAT_MESSAGES, type ChatRow, newChatRow, toChatMessage } from './chat-rows.ts';
import type { Change, Collection, Filter, OpenCollection } from './collection.ts';
import { createCursors } from './cursors.ts';

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
    ...createPersonalReads(messages),
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
    postpone: (id, dueAt) => change({ id, ...UNSENT }, { set: { dueAt } }),
    makeUpdate: (id) => change({ id, kind: 'alert', ...UNSENT }, { set: { kind: 'alert_update' } }),
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
        { kind: { notIn: ['alert', 'alert_update', 'personal_alert'] } },
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
function createReads(messages: Messages) {
  return {
    async byId(id) {
      const found = await messages.get(id);
      return found === null ? null : toChatMessage(found);
    },
    byIds: async (wanted) => (await messages.find({ where: { id: { in: wanted } } })).map(toChatMessage),
    async due({ lane, now, limit, after }) {
      const where = { state: 'pending', lane, dueAt: { lte: now } } as const;
      return (await messages.find({ where, sort: ['dueAt', 'id'], limit, after })).map(toChatMessage);
    },
    async countResultsBefore({ recipient, threadId, seq }) {
      const where = { threadId, recipient, kind: 'personal_result', state: 'sent' } as const;
      const found = (await messages.find({ where })).map(toChatMessage);
      return found.filter(({ kind, facts }) => kind === 'personal_result' && facts.seq < seq).length;
    },
    async claims(limit) {
      const found = await messages.find({ where: { state: 'sending' }, sort: ['claimedAt', 'id'], limit });
      return found.map((row) => ({
        owner: row.owner ?? '',
        claimedAt: row.claimedAt ?? 0,
        message: toChatMessage(row),
      }));
    },
    async unknown({ since, limit }) {
      const where = { state: 'unknown', kind: { ne: 'personal_alert' }, endedAt: { gte: since } } as const;
      return (await messages.find({ where, sort: ['-endedAt', '-id'], limit })).map(toChatMessage);
    },
    async counts(since) {
      // Each is read from an index: the table has every message to each person of the last 30 days.
      const ended = await messages.countBy('state', { endedAt: { gte: since } });
      const counts = CHAT_STATES.map(async (state) => {
        const isOpen = state === 'pending' || state === 'sending' || state === 'unknown';
        return [state, isOpen ? await messages.count({ state }) : (ended.get(state) ?? 0)];
      });
      return Object.fromEntries(await Promise.all(counts)) as Record<ChatState, number>;
    },
  } satisfies Partial<ChatStore>;
}

/** Posts about which was decided whether they are among those of their day. */
const DECIDED: readonly Filter<ChatRow>[] = [
  { state: { in: ['sending', 'sent', 'unknown', 'folded', 'failed'] } },
  { state: 'pending', attempts: { gt: 0 } },
  { sentAt: { present: true } },
];
const DECIDED_FIELDS = ['createdAt', 'score', 'threadId', 'state', 'sentAt'] as const;

function createChatPosts(messages: Collection<ChatRow>) {
  return {
    async decided(channel, after) {
      const of = { recipient: `channel:${channel}`, kind: 'alert', createdAt: { gt: after } } as const;
      const found = await messages.pick(DECIDED_FIELDS, { where: { ...of, or: DECIDED } });
      return found.map(({ createdAt, score, threadId, state, sentAt }) => ({
        createdAt,
        score: score ?? 0,
        threadId: threadId ?? 0,
        isPosted: sentAt !== null || (state !== 'folded' && state !== 'failed'),
      }));
    },
    async undecided({ channel, until, limit }) {
      const waits = { state: 'pending', kind: 'alert', attempts: 0 } as const;
      const where = { ...waits, lane: `channel:${channel}`, dueAt: { lte: until } } as const;
      const found = await messages.find({ where, sort: ['createdAt', 'alertId'], limit });
      return found.map(toChatMessage).filter(isPost);
    },
    async folded({ channel, from, until, limit }) {
      const endedAt = { gte: from, lt: until };
      const where = { recipient: `channel:${channel}`, state: 'folded', endedAt } as const;
      const sort = ['-score', 'alertId'] as const;
      const found = await messages.pick(['alertId', 'threadId'], { where, sort, limit });
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

const ALERTS = { kind: 'personal_alert' } as const;
const UNLISTED = { ...ALERTS, state: { in: ['folded', 'unknown'] } } as const;
const TOLD = ['personal_alert', 'personal_exit', 'personal_result', 'personal_list'] as const;

/** Reads of the messages about people's follows. */
function createPersonalReads(messages: Collection<ChatRow>): PersonalReads {
  return {
    async dueOf({ recipient, lane, now, limit }) {
      const where = { recipient, lane, state: 'pending', dueAt: { lte: now } } as const;
      const sort = ['-score', 'createdAt', 'id'] as const;
      return (await messages.find({ where, sort, limit })).map(toChatMessage);
    },
    async toldTo({ recipient, since, createdAfter }) {
      const or = [
        { state: 'sent', sentAt: { gte: since } },
        { state: 'unknown', endedAt: { gte: since } },
        { state: 'sending' },
        { state: 'pending', attempts: { gt: 0 } },
      ] as const;
      const where = { ...ALERTS, recipient, createdAt: { gt: createdAfter }, or } as const;
      return (await messages.find({ where, index: BY_PERSON })).map(toPersonalAlert);
    },
    async unlisted({ recipient, after, until, limit }) {
      const where = { ...UNLISTED, recipient, endedAt: { gt: after, lte: until } } as const;
      return (await messages.find({ where, sort: ['-score', '-alertId'], limit })).map(toPersonalAlert);
    },
    async lastList(recipient, createdBefore) {
      const state = { notIn: ['dropped', 'failed'] } as const;
      const where = { recipient, kind: 'personal_list', state, createdAt: { lt: createdBefore } } as const;
      const [found] = await messages.find({ where, sort: ['-createdAt'], limit: 1 });
      return found === undefined ? null : toChatMessage(found);
    },
    async personalOfThread({ threadId, limit, after }) {
      const state = { in: ['pending', 'sending', 'sent', 'unknown'] } as const;
      const where = { ...ALERTS, threadId, state } as const;
      return (await messages.find({ where, sort: ['recipient', 'id'], limit, after })).map(toPersonalAlert);
    },
    async wasTold(recipient, since) {
      const where = { recipient, kind: { in: TOLD }, sentAt: { gte: since } } as const;
      return (await messages.pick(['id'], { where, limit: 1 })).length > 0;
    },
  };
}

function toPersonalAlert(row: ChatRow): PersonalAlertMessage {
  return toChatMessage(row) as PersonalAlertMessage;
}
