import type { Model } from 'mongoose';
import {
  type ChatMessage,
  type ChatState,
  isPost,
  type NewChatMessage,
  postFactsOf,
} from '../../core/chat/chat-message.ts';
import { queueOf } from '../../core/chat/chat-queue.ts';
import type { ChatChange, ChatStore } from '../../core/chat/chat-store.ts';
import { alertPostIds } from '../../core/chat/message-ids.ts';
import { everyState } from '../database/state-counts.ts';
import type { ChatDocument } from './chat-model.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { insertNew } from './insert-new.ts';
import type { Models } from './models.ts';

type Messages = Model<ChatDocument>;

export function createMongoChatStore({
  chatMessages,
  deliveryCursors,
}: Pick<Models, 'chatMessages' | 'deliveryCursors'>): ChatStore {
  return {
    ...createChanges(chatMessages),
    ...createReads(chatMessages),
    ...createPosts(chatMessages),
    cursor: async (name) => (await deliveryCursors.findById(name).lean())?.alertId ?? null,
    async advance(name, alertId) {
      const advance = () => deliveryCursors.updateOne({ _id: name }, { $max: { alertId } }, { upsert: true });
      // Two that make the first one at once: then it is there.
      await advance().catch((error) => (isDuplicateKey(error) ? advance() : Promise.reject(error)));
    },
  };
}

/** A message as it is before anybody tried to send it. */
export function newChatDocument(message: NewChatMessage): ChatDocument {
  const { id: _id, ...fields } = message;
  const post = postFactsOf(message);
  const found = {
    alertId: post?.alertId ?? null,
    threadId: post?.threadId ?? null,
    marketId: post?.marketId ?? null,
  };
  const start = { state: 'pending', attempts: 0, error: null, place: null, sentAt: null } as const;
  const unclaimed = { endedAt: null, owner: null, claimedAt: null };
  return { _id, ...fields, lane: queueOf(message.recipient), ...found, ...start, ...unclaimed };
}

type Changes =
  | 'add'
  | 'claim'
  | 'finish'
  | 'giveUp'
  | 'makeUpdate'
  | 'endGone'
  | 'withdraw'
  | 'removeOf'
  | 'prune';

function createChanges(messages: Messages): Pick<ChatStore, Changes> {
  const change = async (filter: object, update: object) =>
    (await messages.updateOne(filter, update)).modifiedCount === 1;

  return {
    async add(rows) {
      if (rows.length === 0) return [];
      const taken = await insertNew(messages, rows.map(newChatDocument));
      return rows.filter((_, index) => !taken.has(index)).map(({ id }) => id);
    },
    claim: (_id, { owner, at: claimedAt }) =>
      change({ _id, state: 'pending' }, { $set: { state: 'sending', owner, claimedAt } }),
    finish: (_id, owner, end) => change({ _id, state: 'sending', owner }, updateOf(end)),
    giveUp: (_id, end) => change({ _id, state: 'pending' }, updateOf(end)),
    makeUpdate: (_id) => change({ _id, kind: 'alert', state: 'pending' }, { $set: { kind: 'alert_update' } }),
    endGone: (_id, { error, at: endedAt }) =>
      change({ _id, state: 'sent' }, { $set: { state: 'dropped', error, endedAt } }),
    withdraw: (_id, endedAt) =>
      change(
        { _id, $or: [{ state: { $in: ['sent', 'pending'] } }, { state: 'dropped', sentAt: { $ne: null } }] },
        { $set: { state: 'withdrawn', endedAt } },
      ),
    removeOf: async (recipients) =>
      (await messages.deleteMany({ recipient: { $in: [...recipients] } })).deletedCount,
    async prune({ endedBefore, postsBefore, limit }) {
      const ended = [
        { endedAt: { $lt: postsBefore } },
        { kind: { $nin: ['alert', 'alert_update'] as const } },
        { state: { $nin: ['sent', 'withdrawn'] as const } },
      ];
      const old = await messages
        .find({ endedAt: { $lt: endedBefore }, $or: ended })
        .sort({ endedAt: 1 })
        .limit(limit)
        .select({ _id: 1 })
        .lean();
      if (old.length === 0) return 0;
      return (await messages.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })).deletedCount;
    },
  };
}

function updateOf(change: ChatChange) {
  const unclaimed = { owner: null, claimedAt: null };
  if (change.state === 'pending') {
    const { state, dueAt, error } = change;
    return { $set: { state, dueAt, error, endedAt: null, ...unclaimed }, $inc: { attempts: 1 } };
  }
  if (change.state === 'sent') {
    const { state, place, at } = change;
    const sent = { state, place, sentAt: at, endedAt: at, error: null };
    return { $set: { ...sent, ...unclaimed }, $inc: { attempts: 1 } };
  }
  const { state, error, at: endedAt } = change;
  return { $set: { state, error, endedAt, ...unclaimed }, $inc: { attempts: Number(state === 'failed') } };
}

function createReads(messages: Messages): Pick<ChatStore, 'byId' | 'due' | 'claims' | 'counts'> {
  return {
    async byId(id) {
      const found = await messages.findById(id).lean();
      return found === null ? null : toChatMessage(found);
    },
    async due({ lane: queue, now, limit, after }) {
      const dueAt = after === undefined ? { $lte: now } : { $lte: now, $gte: after.dueAt };
      const rest =
        after === undefined ? {} : { $or: [{ dueAt: { $gt: after.dueAt } }, { _id: { $gt: after.id } }] };
      const found = messages
        .find({ state: 'pending', lane: queue, dueAt, ...rest })
        .sort({ dueAt: 1, _id: 1 });
      return (await found.limit(limit).lean()).map(toChatMessage);
    },
    async claims(limit) {
      const found = messages.find({ state: 'sending' }).sort({ claimedAt: 1, _id: 1 }).limit(limit);
      return (await found.lean()).map((document) => ({
        owner: document.owner ?? '',
        claimedAt: document.claimedAt ?? 0,
        message: toChatMessage(document),
      }));
    },
    async counts() {
      const groups = await messages.aggregate<{ _id: ChatState; held: number }>([
        { $group: { _id: '$state', held: { $sum: 1 } } },
      ]);
      return everyState(groups.map(({ _id: state, held }) => ({ state, held })));
    },
  };
}

function createPosts(
  messages: Messages,
): Pick<ChatStore, 'countPosts' | 'rolledUp' | 'postsOf' | 'postsOfThread' | 'postsOfMarket'> {
  return {
    countPosts: (channel, since) =>
      messages.countDocuments({ recipient: `channel:${channel}`, kind: 'alert', sentAt: { $gte: since } }),
    async rolledUp({ channel, from, until, limit }) {
      const query = {
        recipient: `channel:${channel}`,
        state: 'folded',
        endedAt: { $gte: from, $lt: until },
      } as const;
      const found = messages.find(query).sort({ alertId: 1 }).limit(limit);
      return (await found.lean()).flatMap(({ alertId }) => alertId ?? []);
    },
    async postsOf(alertId) {
      const found = messages.find({ _id: { $in: [...alertPostIds(alertId)] } }).sort({ _id: 1 });
      return (await found.lean()).map(toChatMessage).filter(isPost);
    },
    async postsOfThread({ channel, threadId }) {
      const found = messages.find({ threadId, recipient: `channel:${channel}` }).sort({ alertId: 1 });
      return (await found.lean()).map(toChatMessage).filter(isPost);
    },
    async postsOfMarket({ marketId, limit, after }) {
      const state = { $in: ['pending', 'sending', 'sent'] as const };
      const rest = after === undefined ? {} : { _id: { $gt: after } };
      const found = messages.find({ kind: 'alert', marketId, state, ...rest }).sort({ _id: 1 });
      return (await found.limit(limit).lean()).map(toChatMessage);
    },
  };
}

/** `facts` are those of the document's kind: only `add` writes them, and a post and its update have the same. */
function toChatMessage(document: ChatDocument): ChatMessage {
  const { recipient, kind, facts, createdAt, dueAt, state, attempts, error, place, sentAt } = document;
  const fields = { id: document._id, recipient, kind, facts, createdAt, dueAt };
  return { ...fields, state, attempts, error, place, sentAt } as ChatMessage;
}
