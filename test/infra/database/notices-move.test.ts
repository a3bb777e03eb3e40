import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { migrate } from '../../../src/infra/database/sqlite/schema.ts';
import { SqliteCollection } from '../../../src/infra/database/sqlite/sqlite-collection.ts';
import { createChatStore } from '../../../src/infra/database/stores/chat-store.ts';
import { DATABASES } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';

const FACTS = { webhookId: 'wh_a', url: 'https://example.com/hook', failures: 20 };
const MOVED = {
  id: 'webhook_failing:wh_a:0',
  recipient: 'key:key_a',
  kind: 'webhook_failing',
  facts: FACTS,
  createdAt: START,
  dueAt: START,
  state: 'pending',
  attempts: 0,
};

/** What version 3 had of the tables that matter here. */
const VERSION_3 = `
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, lookup TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, name TEXT NOT NULL, tier TEXT NOT NULL,
    created_at INTEGER NOT NULL, trial_ends_at INTEGER, revoked_at INTEGER
  ) STRICT;
  CREATE TABLE notices (
    id TEXT PRIMARY KEY, key_id TEXT NOT NULL, kind TEXT NOT NULL, facts TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE alerts (id INTEGER PRIMARY KEY, wallet TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE alert_facets (id INTEGER PRIMARY KEY, listing INTEGER NOT NULL, is_resolved INTEGER NOT NULL) STRICT;
  CREATE TABLE resolutions (market_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE webhooks (id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE deliveries (id TEXT PRIMARY KEY, state TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE delivery_cursor (name TEXT PRIMARY KEY, alert_id INTEGER NOT NULL) STRICT;
  CREATE TABLE snapshots (source TEXT PRIMARY KEY, checkpoint TEXT NOT NULL, chunk_count INTEGER) STRICT;
  CREATE TABLE snapshot_chunks (
    source TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (source, position)
  ) STRICT;
  PRAGMA user_version = 3;
`;

test('on SQLite what version 3 kept for owners is due, and its table is gone', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec(VERSION_3);
  const insert = db.prepare('INSERT INTO notices VALUES (?, ?, ?, ?, ?)');
  insert.run(MOVED.id, 'key_a', 'webhook_failing', JSON.stringify(FACTS), START);

  migrate(db);

  const chat = createChatStore((declaration) => new SqliteCollection(db, declaration));
  expect(await chat.due({ lane: 'private', now: START, limit: 10 })).toMatchObject([MOVED]);
  expect(() => db.prepare('SELECT 1 FROM notices')).toThrow('no such table');
  db.close();
});

const mongo = DATABASES.filter(({ name }) => name === 'MongoDB');

test.each(mongo)('on $name as well, however often the step runs', async ({ open }) => {
  const { url, drop } = await open();
  const client = await MongoClient.connect(url);
  const db = client.db();
  const notice = { keyId: 'key_a', kind: 'webhook_failing', facts: FACTS, createdAt: START };
  await db.collection('chat_messages').drop();

  for (let run = 0; run < 2; run += 1) {
    await db.collection<{ _id: string }>('notices').insertOne({ _id: MOVED.id, ...notice });
    await db.collection('schema_version').updateOne({}, { $set: { version: 3 } });
    const another = await openDatabase(url, { migrates: true });
    expect(await another.chat.due({ lane: 'private', now: START, limit: 10 })).toMatchObject([MOVED]);
    await another.close();
  }

  expect(await db.listCollections({ name: 'notices' }).toArray()).toEqual([]);
  await client.close();
  await drop();
});
