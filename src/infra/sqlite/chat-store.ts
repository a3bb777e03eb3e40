import type { DatabaseSync } from 'node:sqlite';
import { type ChatState, isPost } from '../../core/chat/chat-message.ts';
import type { ChatChange, ChatStore } from '../../core/chat/chat-store.ts';
import { alertPostIds } from '../../core/chat/message-ids.ts';
import { everyState } from '../database/state-counts.ts';
import { CHAT_COLUMNS, type ChatRow, toChatMessage, valuesOf } from './chat-row.ts';
import { prepareQuery, transaction } from './connection.ts';

export function createSqliteChatStore(db: DatabaseSync): ChatStore {
  return { ...createChanges(db), ...createReads(db), ...createPosts(db), ...createCursors(db) };
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

function createChanges(db: DatabaseSync): Pick<ChatStore, Changes> {
  const insert = db.prepare(
    `INSERT OR IGNORE INTO chat_messages
       (id, recipient, lane, kind, facts, alert_id, thread_id, market_id, created_at, due_at, state, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0)`,
  );
  const claim = db.prepare(
    "UPDATE chat_messages SET state = 'sending', owner = ?, claimed_at = ? WHERE id = ? AND state = 'pending'",
  );
  const change = `UPDATE chat_messages SET state = :state, error = :error, ended_at = :endedAt,
    due_at = coalesce(:dueAt, due_at), attempts = attempts + :tries,
    place = coalesce(:place, place), sent_at = coalesce(:sentAt, sent_at), owner = NULL, claimed_at = NULL
    WHERE id = :id`;
  const finish = db.prepare(`${change} AND state = 'sending' AND owner = :owner`);
  const giveUp = db.prepare(`${change} AND state = 'pending'`);
  const makeUpdate = db.prepare(
    "UPDATE chat_messages SET kind = 'alert_update' WHERE id = ? AND kind = 'alert' AND state = 'pending'",
  );
  const endGone = db.prepare(
    "UPDATE chat_messages SET state = 'dropped', error = ?, ended_at = ? WHERE id = ? AND state = 'sent'",
  );
  const withdraw = db.prepare(
    `UPDATE chat_messages SET state = 'withdrawn', ended_at = ? WHERE id = ?
     AND (state IN ('sent', 'pending') OR state = 'dropped' AND sent_at IS NOT NULL)`,
  );
  const removeOf = db.prepare(
    'DELETE FROM chat_messages WHERE recipient IN (SELECT value FROM json_each(?))',
  );
  const prune = db.prepare(
    `DELETE FROM chat_messages WHERE id IN (
       SELECT id FROM chat_messages
       WHERE ended_at < ? AND (ended_at < ? OR kind NOT IN ('alert', 'alert_update')
         OR state NOT IN ('sent', 'withdrawn')) ORDER BY ended_at LIMIT ?)`,
  );
  return {
    add: async (messages) =>
      messages.length === 0
        ? []
        : transaction(db, () =>
            messages.filter((message) => insert.run(...valuesOf(message)).changes === 1).map(({ id }) => id),
          ),
    claim: async (id, { owner, at }) => claim.run(owner, at, id).changes === 1,
    finish: async (id, owner, end) => finish.run({ id, owner, ...changed(end) }).changes === 1,
    giveUp: async (id, end) => giveUp.run({ id, ...changed(end) }).changes === 1,
    makeUpdate: async (id) => makeUpdate.run(id).changes === 1,
    endGone: async (id, { error, at }) => endGone.run(error, at, id).changes === 1,
    withdraw: async (id, at) => withdraw.run(at, id).changes === 1,
    removeOf: async (recipients) => Number(removeOf.run(JSON.stringify(recipients)).changes),
    prune: async ({ endedBefore, postsBefore, limit }) =>
      Number(prune.run(endedBefore, postsBefore, limit).changes),
  };
}

/** What a change writes; null leaves `due_at`, `place` and `sent_at` as they are. */
function changed(change: ChatChange) {
  const { state } = change;
  const none = { state, error: null, endedAt: null, dueAt: null, place: null, sentAt: null, tries: 1 };
  if (change.state === 'pending') return { ...none, error: change.error, dueAt: change.dueAt };
  const ended = { ...none, endedAt: change.at };
  if (change.state === 'sent') return { ...ended, place: change.place, sentAt: change.at };
  return { ...ended, error: change.error, tries: Number(state === 'failed') };
}

function createReads(db: DatabaseSync): Pick<ChatStore, 'byId' | 'due' | 'claims' | 'counts'> {
  const byId = prepareQuery<ChatRow>(db, `SELECT ${CHAT_COLUMNS} FROM chat_messages WHERE id = ?`);
  const due = prepareQuery<ChatRow>(
    db,
    `SELECT ${CHAT_COLUMNS} FROM chat_messages
     WHERE state = 'pending' AND lane = ? AND due_at <= ? AND (due_at, id) > (?, ?) ORDER BY due_at, id LIMIT ?`,
  );
  const claims = prepareQuery<ChatRow & { readonly owner: string; readonly claimed_at: number }>(
    db,
    `SELECT ${CHAT_COLUMNS}, owner, claimed_at FROM chat_messages
     WHERE state = 'sending' ORDER BY claimed_at, id LIMIT ?`,
  );
  const counts = prepareQuery<{ state: ChatState; held: number }>(
    db,
    'SELECT state, count(*) AS held FROM chat_messages GROUP BY state',
  );
  return {
    byId: async (id) => byId.all(id).map(toChatMessage)[0] ?? null,
    due: async ({ lane: queue, now, limit, after }) =>
      due.all(queue, now, after?.dueAt ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit).map(toChatMessage),
    claims: async (limit) =>
      claims
        .all(limit)
        .map((row) => ({ owner: row.owner, claimedAt: row.claimed_at, message: toChatMessage(row) })),
    counts: async () => everyState(counts.all()),
  };
}

function createPosts(
  db: DatabaseSync,
): Pick<ChatStore, 'countPosts' | 'rolledUp' | 'postsOf' | 'postsOfThread' | 'postsOfMarket'> {
  const count = prepareQuery<{ held: number }>(
    db,
    "SELECT count(*) AS held FROM chat_messages WHERE recipient = ? AND kind = 'alert' AND sent_at >= ?",
  );
  const rolledUp = prepareQuery<{ alert_id: number }>(
    db,
    `SELECT alert_id FROM chat_messages
     WHERE state = 'folded' AND recipient = ? AND ended_at >= ? AND ended_at < ? ORDER BY alert_id LIMIT ?`,
  );
  const byIds = prepareQuery<ChatRow>(
    db,
    `SELECT ${CHAT_COLUMNS} FROM chat_messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const ofThread = prepareQuery<ChatRow>(
    db,
    `SELECT ${CHAT_COLUMNS} FROM chat_messages WHERE thread_id = ? AND recipient = ? ORDER BY alert_id`,
  );
  const ofMarket = prepareQuery<ChatRow>(
    db,
    `SELECT ${CHAT_COLUMNS} FROM chat_messages WHERE kind = 'alert' AND market_id = ? AND id > ?
     AND state IN ('pending', 'sending', 'sent') ORDER BY id LIMIT ?`,
  );
  return {
    countPosts: async (channel, since) => count.get(`channel:${channel}`, since)?.held ?? 0,
    rolledUp: async ({ channel, from, until, limit }) =>
      rolledUp.all(`channel:${channel}`, from, until, limit).map(({ alert_id }) => alert_id),
    postsOf: async (alertId) =>
      byIds
        .all(JSON.stringify(alertPostIds(alertId)))
        .map(toChatMessage)
        .filter(isPost),
    postsOfThread: async ({ channel, threadId }) =>
      ofThread.all(threadId, `channel:${channel}`).map(toChatMessage).filter(isPost),
    postsOfMarket: async ({ marketId, limit, after }) =>
      ofMarket.all(marketId, after ?? '', limit).map(toChatMessage),
  };
}

function createCursors(db: DatabaseSync): Pick<ChatStore, 'cursor' | 'advance'> {
  const read = prepareQuery<{ alert_id: number }>(db, 'SELECT alert_id FROM delivery_cursor WHERE name = ?');
  const advance = db.prepare(
    `INSERT INTO delivery_cursor VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET alert_id = max(alert_id, excluded.alert_id)`,
  );
  return {
    cursor: async (name) => read.get(name)?.alert_id ?? null,
    advance: async (name, position) => {
      advance.run(name, position);
    },
  };
}
