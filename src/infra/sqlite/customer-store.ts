import type { DatabaseSync } from 'node:sqlite';
import type { Platform } from '../../core/customers/customer.ts';
import type { CustomerRecord, CustomerStore, OwnedHandle } from '../../core/customers/customer-store.ts';
import { byPlatform } from '../database/handle-order.ts';
import { prepareQuery, transaction } from './connection.ts';

const FIELDS = [
  'trial_request',
  'trial_started_at',
  'trial_ends_at',
  'banned_at',
  'created_at',
  'merged_into',
  'is_moved',
  'erasing_at',
  'version',
] as const;

interface Row {
  readonly id: string;
  readonly trial_request: string | null;
  readonly trial_started_at: number | null;
  readonly trial_ends_at: number | null;
  readonly banned_at: number | null;
  readonly created_at: number;
  readonly merged_into: string | null;
  readonly is_moved: number;
  readonly erasing_at: number | null;
  readonly version: number;
}

interface HandleRow {
  readonly platform: Platform;
  readonly user_id: string;
  readonly customer_id: string;
  readonly name: string | null;
  readonly chat: string;
  readonly is_reachable: number;
}

export function createSqliteCustomerStore(db: DatabaseSync): CustomerStore {
  return { ...createRecords(db), ...createHandles(db), ...createCodes(db), ...createPastTrials(db) };
}

type Records = Pick<
  CustomerStore,
  'insert' | 'get' | 'replace' | 'remove' | 'mergedInto' | 'unfinished' | 'page' | 'count'
>;

function createRecords(db: DatabaseSync): Records {
  const query = (rest: string) => prepareQuery<Row>(db, `SELECT * FROM customers WHERE ${rest}`);
  const names = ['id', ...FIELDS];
  const insert = db.prepare(
    `INSERT INTO customers (${names.join()}) VALUES (${names.map(() => '?').join()}) ON CONFLICT DO NOTHING`,
  );
  const replace = db.prepare(
    `UPDATE customers SET ${FIELDS.map((name) => `${name} = ?`).join()} WHERE id = ? AND version = ?`,
  );
  const get = query('id = ?');
  const remove = db.prepare('DELETE FROM customers WHERE id = ?');
  const mergedInto = query('merged_into = ?');
  const unfinished = query('erasing_at IS NOT NULL OR (merged_into IS NOT NULL AND is_moved = 0) LIMIT ?');
  const living = 'merged_into IS NULL AND erasing_at IS NULL';
  const page = query(`${living} AND banned_at IS NULL AND id > ? ORDER BY id LIMIT ?`);
  const inTrial = query(
    `${living} AND banned_at IS NULL AND trial_ends_at > ? AND trial_ends_at <= ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const count = prepareQuery<{ total: number; new: number }>(
    db,
    `SELECT count(*) AS total, count(*) FILTER (WHERE created_at >= ?) AS new FROM customers WHERE ${living}`,
  );
  return {
    insert: async (record) => insert.run(record.id, ...toValues(record)).changes === 1,
    async get(id) {
      const row = get.get(id);
      return row === undefined ? null : toRecord(row);
    },
    async replace(record) {
      const { id, version } = record;
      return replace.run(...toValues({ ...record, version: version + 1 }), id, version).changes === 1;
    },
    remove: async (id) => void remove.run(id),
    mergedInto: async (id) => mergedInto.all(id).map(toRecord),
    unfinished: async (limit) => unfinished.all(limit).map(toRecord),
    async page({ after = '', limit, trialEnds }) {
      const rows =
        trialEnds === undefined
          ? page.all(after, limit)
          : inTrial.all(trialEnds.from, trialEnds.until, after, limit);
      return rows.map(toRecord);
    },
    count: async (since) => ({ ...{ total: 0, new: 0 }, ...count.get(since) }),
  };
}

type Handles = Pick<
  CustomerStore,
  | ('touch' | 'handle' | 'handlesOf' | 'handlesByName' | 'markUnreachable')
  | ('moveHandles' | 'blankHandles' | 'removeHandles')
>;

function createHandles(db: DatabaseSync): Handles {
  const query = (rest: string) => prepareQuery<HandleRow>(db, `SELECT * FROM handles WHERE ${rest}`);
  const touch = prepareQuery<Pick<HandleRow, 'customer_id'>>(
    db,
    `INSERT INTO handles (platform, user_id, customer_id, name, name_lower, chat, is_reachable)
     VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET name = excluded.name, name_lower = excluded.name_lower, chat = excluded.chat,
       is_reachable = 1 RETURNING customer_id`,
  );
  const get = query('platform = ? AND user_id = ?');
  const handlesOf = query('customer_id IN (SELECT value FROM json_each(?))');
  const byName = query('name_lower = ? ORDER BY platform, user_id LIMIT ?');
  const unreachable = db.prepare('UPDATE handles SET is_reachable = 0 WHERE platform = ? AND user_id = ?');
  const move = db.prepare('UPDATE handles SET customer_id = ? WHERE customer_id = ?');
  const blank = db.prepare('UPDATE handles SET name = NULL, name_lower = NULL WHERE customer_id = ?');
  const remove = db.prepare('DELETE FROM handles WHERE customer_id = ?');
  return {
    async touch({ platform, userId, name, chat }, candidate) {
      const known = get.get(platform, userId);
      // Most visits change nothing, and need not wait for the disk.
      if (known?.name === name && known.chat === chat && known.is_reachable === 1) return known.customer_id;
      const lower = name?.toLowerCase() ?? null;
      const [row] = touch.all(platform, userId, candidate, name, lower, chat);
      return row?.customer_id ?? candidate;
    },
    async handle({ platform, userId }) {
      const row = get.get(platform, userId);
      return row === undefined ? null : toHandle(row);
    },
    handlesOf: async (customerIds) =>
      handlesOf.all(JSON.stringify(customerIds)).map(toHandle).toSorted(byPlatform),
    handlesByName: async (name, limit) => byName.all(name.toLowerCase(), limit).map(toHandle),
    markUnreachable: async (platform, userId) => void unreachable.run(platform, userId),
    moveHandles: async (from, to) => void move.run(to, from),
    blankHandles: async (customerId) => void blank.run(customerId),
    removeHandles: async (customerId) => void remove.run(customerId),
  };
}

type Codes = Pick<CustomerStore, 'putCode' | 'code' | 'takeCode' | 'removeCodesOf' | 'pruneCodes'>;

function createCodes(db: DatabaseSync): Codes {
  const put = db.prepare(
    'INSERT OR REPLACE INTO link_codes (customer_id, hash, expires_at) VALUES (?, ?, ?)',
  );
  const get = prepareQuery<{ customer_id: string; expires_at: number }>(
    db,
    'SELECT customer_id, expires_at FROM link_codes WHERE hash = ?',
  );
  const take = db.prepare('DELETE FROM link_codes WHERE hash = ?');
  const remove = db.prepare('DELETE FROM link_codes WHERE customer_id = ?');
  const prune = db.prepare('DELETE FROM link_codes WHERE expires_at <= ?');
  return {
    putCode: async ({ customerId, hash, expiresAt }) => void put.run(customerId, hash, expiresAt),
    async code(hash) {
      const row = get.get(hash);
      return row === undefined ? null : { customerId: row.customer_id, hash, expiresAt: row.expires_at };
    },
    takeCode: async (hash) => take.run(hash).changes === 1,
    removeCodesOf: async (customerId) => void remove.run(customerId),
    pruneCodes: async (now) => Number(prune.run(now).changes),
  };
}

function createPastTrials(db: DatabaseSync): Pick<CustomerStore, 'addPastTrials' | 'hasPastTrial'> {
  const add = db.prepare('INSERT INTO past_trials (mark) VALUES (?) ON CONFLICT DO NOTHING');
  const has = prepareQuery(
    db,
    'SELECT 1 FROM past_trials WHERE mark IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  return {
    addPastTrials: async (marks) =>
      transaction(db, () => {
        for (const mark of marks) add.run(mark);
      }),
    hasPastTrial: async (marks) => has.get(JSON.stringify(marks)) !== undefined,
  };
}

function toValues(record: CustomerRecord) {
  const { trial, bannedAt, createdAt, mergedInto, isMoved, erasingAt, version } = record;
  return [
    ...[trial?.request ?? null, trial?.startedAt ?? null, trial?.endsAt ?? null],
    ...[bannedAt, createdAt, mergedInto, Number(isMoved), erasingAt, version],
  ];
}

function toRecord(row: Row): CustomerRecord {
  const { trial_request: request, trial_started_at: startedAt, trial_ends_at: endsAt } = row;
  return {
    id: row.id,
    trial: request === null || startedAt === null || endsAt === null ? null : { request, startedAt, endsAt },
    bannedAt: row.banned_at,
    createdAt: row.created_at,
    mergedInto: row.merged_into,
    isMoved: row.is_moved === 1,
    erasingAt: row.erasing_at,
    version: row.version,
  };
}

function toHandle(row: HandleRow): OwnedHandle {
  const { platform, user_id: userId, customer_id: customerId, name, chat } = row;
  return { platform, userId, customerId, name, chat, isReachable: row.is_reachable === 1 };
}
