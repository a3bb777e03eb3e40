import { DatabaseSync } from 'node:sqlite';
import { type Db, MongoClient } from 'mongodb';
import { bringBackToFifth } from './version-5.ts';

/** Makes the database what an earlier version left. */
export async function bringBack(url: string, version: 1 | 2 | 3): Promise<void> {
  await bringBackToFifth(url);
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length), version);
  else await bringBackMongo(url, version);
}

/** What the tables and collections of version 3 are called; those that came later are dropped. */
const THIRD = {
  sqlite: [
    ...['alerts', 'listings', 'alert_facets', 'resolutions', 'lease', 'snapshots', 'snapshot_chunks'],
    ...['api_keys', 'usage', 'presets', 'webhooks', 'secrets', 'notices', 'deliveries', 'delivery_cursor'],
  ],
  mongo: [
    ...['alerts', 'listings', 'resolutions', 'lease', 'snapshot_chunks', 'api_keys', 'usage', 'rate_windows'],
    ...['presets', 'webhooks', 'secrets', 'notices', 'deliveries', 'delivery_cursor', 'schema_version'],
  ],
  keyColumns: ['id', 'lookup', 'hash', 'name', 'tier', 'created_at', 'trial_ends_at', 'revoked_at'],
  keyIndexes: ['_id_', 'lookup_1', 'createdAt_1__id_1'],
};

function bringBackSqlite(path: string, version: 1 | 2 | 3): void {
  const db = new DatabaseSync(path);
  const names = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ name }) => String(name));
  const made = "name NOT LIKE 'sqlite_%'";
  for (const name of names(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${made}`)) {
    if (!THIRD.sqlite.includes(name)) db.exec(`DROP TABLE ${name}`);
  }
  for (const name of names(
    `SELECT name FROM sqlite_schema WHERE tbl_name = 'api_keys' AND type = 'index' AND ${made}`,
  )) {
    db.exec(`DROP INDEX ${name}`);
  }
  for (const name of names("SELECT name FROM pragma_table_info('api_keys')")) {
    if (!THIRD.keyColumns.includes(name)) db.exec(`ALTER TABLE api_keys DROP COLUMN ${name}`);
  }
  db.exec(`
    DROP INDEX alert_facets_unresolved;
    CREATE TABLE notices (
      id TEXT PRIMARY KEY, key_id TEXT NOT NULL, kind TEXT NOT NULL, facts TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    PRAGMA user_version = 3;
  `);
  if (version < 3) bringBackSqliteToSecond(db);
  if (version === 1) bringBackSqliteToFirst(db);
  db.close();
}

function bringBackSqliteToSecond(db: DatabaseSync): void {
  db.exec(`
    DROP TABLE notices; DROP TABLE deliveries; DROP TABLE delivery_cursor;
    ALTER TABLE webhooks DROP COLUMN rotated_at;
    ALTER TABLE webhooks DROP COLUMN is_paused;
    ALTER TABLE webhooks DROP COLUMN failures_in_row;
    PRAGMA user_version = 2;
  `);
}

function bringBackSqliteToFirst(db: DatabaseSync): void {
  db.exec(`
    DROP TABLE presets; DROP TABLE webhooks; DROP TABLE secrets;
    DROP INDEX alert_facets_by_listing;
    ALTER TABLE alert_facets DROP COLUMN won;
    ALTER TABLE alert_facets DROP COLUMN entry;
    CREATE INDEX alert_facets_by_listing ON alert_facets (listing);
    PRAGMA user_version = 1;
  `);
}

async function bringBackMongo(url: string, version: 1 | 2 | 3): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  for (const { name } of await db.listCollections().toArray()) {
    if (!THIRD.mongo.includes(name)) await db.collection(name).drop();
  }
  const keys = db.collection('api_keys');
  const added = { customerId: 1, handover: 1, previous: 1, limits: 1, firstUsedAt: 1 } as const;
  await keys.updateMany({}, { $unset: added });
  for (const { name = '' } of await keys.indexes()) {
    if (!THIRD.keyIndexes.includes(name)) await keys.dropIndex(name);
  }
  if (version < 3) await bringBackMongoToSecond(db);
  if (version === 1) await bringBackMongoToFirst(db);
  await db.collection('schema_version').updateOne({}, { $set: { version } });
  await client.close();
}

async function bringBackMongoToSecond(db: Db): Promise<void> {
  for (const name of ['notices', 'deliveries', 'delivery_cursor']) await db.collection(name).drop();
  const added = { rotatedAt: 1, isPaused: 1, failuresInRow: 1 } as const;
  await db.collection('webhooks').updateMany({}, { $unset: added });
}

async function bringBackMongoToFirst(db: Db): Promise<void> {
  for (const name of ['presets', 'webhooks', 'secrets', 'rate_windows']) await db.collection(name).drop();
  const alerts = db.collection('alerts');
  for (const { name, key } of await alerts.indexes())
    if ('entryPrice' in key && name !== undefined) await alerts.dropIndex(name);
  const facets = { category: 1, side: 1, type: 1, score: 1, usdc: 1, isResolved: 1, listing: 1 } as const;
  await alerts.createIndex({ _id: 1, ...facets });
  await alerts.createIndex({ listing: 1, _id: 1 });
}
