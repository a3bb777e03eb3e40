import type { DatabaseSync } from 'node:sqlite';
import type { Alert } from '../../../core/alerts/alert.ts';
import type { AlertStore, AppendResult, ThreadEntry } from '../../../core/alerts/alert-store.ts';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import { entryOf } from '../../../core/record/win-rates.ts';
import { type Archive, archiveMethods } from '../archive/archive.ts';
import { ALERT_COLUMNS, type AlertRow, resolutionValues, toAlert, toBody } from './alert-row.ts';
import { prepareQuery, transaction } from './connection.ts';

/** Reads here are single seeks on the writer's connection; whatever can be long goes to the archive. */
export function createSqliteAlertStore(db: DatabaseSync, archive: Archive): AlertStore {
  const append = createAppend(db);
  const select = (rest: string) => prepareQuery<AlertRow>(db, `SELECT ${ALERT_COLUMNS} FROM alerts ${rest}`);
  const last = select('ORDER BY id DESC LIMIT 1');
  const byId = select('WHERE id = ?');
  const after = select('WHERE id > ? ORDER BY id LIMIT ?');
  const ofMarket = select(
    `WHERE id IN (
       SELECT id FROM alert_facets
       WHERE listing IN (SELECT id FROM listings WHERE market_id = ?) AND id > ? ORDER BY id LIMIT ?
     ) ORDER BY id`,
  );
  const latest = select('ORDER BY id DESC LIMIT ?');
  const latestUntil = select(
    `WHERE id <= (SELECT id FROM alert_facets WHERE created_at <= ? ORDER BY created_at DESC, id DESC LIMIT 1)
     ORDER BY id DESC LIMIT ?`,
  );
  const setBody = db.prepare('UPDATE alerts SET body = ? WHERE id = ?');
  const one = (row: AlertRow | undefined) => (row === undefined ? null : toAlert(row));
  return {
    append: async (alert) => transaction(db, () => append(alert)),
    setLog: async (id, log) =>
      transaction(db, () => {
        const alert = one(byId.get(id));
        if (alert !== null) setBody.run(toBody({ ...alert, log }), id);
      }),
    last: async () => one(last.get()),
    byId: async (id) => one(byId.get(id)),
    thread: createThreadRead(db),
    ofMarket: async (marketId, limit, afterId = 0) => ofMarket.all(marketId, afterId, limit).map(toAlert),
    after: async (id, limit) => after.all(id, limit).map(toAlert),
    latest: async ({ limit, until }) =>
      (until === undefined ? latest.all(limit) : latestUntil.all(until, limit)).map(toAlert),
    ...archiveMethods(archive, createMarketResolver(db)),
    unresolvedMarkets: createUnresolvedMarkets(db),
  };
}

/** Writes one alert with its facets. Must run within a transaction. */
export function createAppend(db: DatabaseSync): (alert: Alert) => AppendResult {
  const insertAlert = db.prepare(
    `INSERT INTO alerts (id, key, wallet, thread, thread_id, supersedes, body, payout, won, profit_usdc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const insertFacets = db.prepare(
    `INSERT INTO alert_facets (id, created_at, listing, category, side, type, score, usdc, is_resolved, won, entry)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byKey = prepareQuery<object>(db, 'SELECT 1 FROM alerts WHERE key = ?');
  const listingOf = createListings(db);
  return (alert) => {
    const { id, key, wallet, createdAt, category, side, type, score, usdc, resolution } = alert;
    const values = resolutionValues(resolution);
    const place = [threadKey(alert), alert.threadId, alert.supersedes] as const;
    const { changes } = insertAlert.run(id, key, wallet, ...place, toBody(alert), ...values);
    if (changes === 0) return byKey.get(key) === undefined ? 'taken' : 'duplicate';
    const [isResolved, won] = [resolution === null ? 0 : 1, values[1]];
    const sought = [category, side, type, score, usdc, isResolved] as const;
    insertFacets.run(id, createdAt, listingOf(alert), ...sought, won, entryOf(alert));
    return 'appended';
  };
}

/** A listing is a market under one question and slug: texts that many alerts share, and that text searches read. */
function createListings(db: DatabaseSync): (alert: Alert) => number {
  const find = prepareQuery<{ id: number }>(
    db,
    'SELECT id FROM listings WHERE market_id = ? AND title = ? AND slug = ?',
  );
  const insert = db.prepare(
    'INSERT INTO listings (market_id, title, slug, title_lower, slug_lower) VALUES (?, ?, ?, ?, ?)',
  );
  return ({ marketId, eventTitle, eventSlug }) => {
    const known = find.get(marketId, eventTitle, eventSlug);
    if (known !== undefined) return known.id;
    const lower = [eventTitle.toLowerCase(), eventSlug.toLowerCase()] as const;
    return Number(insert.run(marketId, eventTitle, eventSlug, ...lower).lastInsertRowid);
  };
}

export const THREAD_QUERY =
  "SELECT id, key, body ->> '$.tradedAt' AS tradedAt FROM alerts WHERE thread = ? ORDER BY id";

/** The alerts of a thread, from its index. */
function createThreadRead(db: DatabaseSync): AlertStore['thread'] {
  const read = prepareQuery<ThreadEntry>(db, THREAD_QUERY);
  return async (key) => read.all(key).map((row) => ({ ...row }));
}

/** `is_resolved = 0` is a literal, as in the partial index: a parameter would not match the index. */
export const UNRESOLVED_QUERY = `
  SELECT facets.id, listings.market_id AS marketId
  FROM (SELECT id, listing FROM alert_facets WHERE is_resolved = 0 AND id > ? ORDER BY id LIMIT ?) AS facets
  JOIN listings ON listings.id = facets.listing
  ORDER BY facets.id`;

function createUnresolvedMarkets(db: DatabaseSync): AlertStore['unresolvedMarkets'] {
  const next = prepareQuery<{ id: number; marketId: string }>(db, UNRESOLVED_QUERY);
  return async ({ afterId, limit }) => {
    const found = next.all(afterId, limit);
    return {
      marketIds: [...new Set(found.map(({ marketId }) => marketId))],
      lastId: found.length < limit ? null : (found.at(-1)?.id ?? null),
    };
  };
}

const CHUNK_SIZE = 200;

type Resolve = Parameters<AlertStore['resolveMarket']>[1];

/** Resolves a market's alerts in id order, a transaction a chunk; other work gets its turn between them. */
function createMarketResolver(db: DatabaseSync): AlertStore['resolveMarket'] {
  const resolveChunk = createChunkResolver(db);
  return async (marketId, resolve) => {
    const counted = { resolved: 0, won: 0 };
    let after: number | null = 0;
    while (after !== null) {
      const from: number = after;
      const chunk = transaction(db, () => resolveChunk(marketId, from, resolve));
      counted.resolved += chunk.resolved;
      counted.won += chunk.won;
      after = chunk.lastId;
      await new Promise(setImmediate);
    }
    return counted;
  };
}

function createChunkResolver(db: DatabaseSync) {
  const next = prepareQuery<AlertRow>(
    db,
    `SELECT ${ALERT_COLUMNS} FROM alerts WHERE id IN (
       SELECT id FROM alert_facets
       WHERE listing IN (SELECT id FROM listings WHERE market_id = ?) AND id > ? ORDER BY id LIMIT ${CHUNK_SIZE}
     ) ORDER BY id`,
  );
  const setResolution = db.prepare('UPDATE alerts SET payout = ?, won = ?, profit_usdc = ? WHERE id = ?');
  const setResolved = db.prepare(
    'UPDATE alert_facets SET is_resolved = 1, won = ?1 WHERE id = ?2 AND won IS NOT ?1',
  );
  return (marketId: string, after: number, resolve: Resolve) => {
    const alerts = next.all(marketId, after).map(toAlert);
    const counted = { resolved: 0, won: 0 };
    for (const alert of alerts) {
      const computed = resolve(alert);
      if (computed !== null) {
        const values = resolutionValues(computed);
        setResolution.run(...values, alert.id);
        setResolved.run(values[1], alert.id);
      }
      const resolution = computed ?? alert.resolution;
      if (resolution !== null) counted.resolved += 1;
      if (resolution?.won) counted.won += 1;
    }
    return { ...counted, lastId: alerts.length < CHUNK_SIZE ? null : (alerts.at(-1)?.id ?? null) };
  };
}
