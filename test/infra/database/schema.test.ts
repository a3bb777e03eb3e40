import { DatabaseSync } from 'node:sqlite';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { openMongo } from '../../../src/infra/database/mongo/open-mongo.ts';
import { SchemaMismatch } from '../../../src/infra/database/schema-version.ts';
import { migrateSqlite, versionOf } from '../../../src/infra/database/sqlite/schema.ts';
import { createFakeClock } from '../../support/clock.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`a start on ${mongo?.name} without its indexes`, () => {
  let opened: TestDatabase;
  let client: MongoClient;
  let db: Db;

  beforeEach(async () => {
    opened = (await mongo?.open()) as TestDatabase;
    await opened.database.close();
    client = await MongoClient.connect(opened.url);
    db = client.db();
  });
  afterEach(async () => {
    await client.close();
    await opened.drop();
  });

  /** As a restore without indexes leaves it. */
  async function dropIndexes(): Promise<void> {
    for (const { name } of await db.listCollections().toArray()) await db.collection(name).dropIndexes();
  }

  async function indexes(): Promise<object> {
    const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
    const rows = names.map(async (name) => {
      const found = await db.collection(name).indexes();
      return [name, found.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  }

  const open = () => openDatabase(opened.url, { logger: silentLogger, migrates: true });

  test('makes missing indexes and collections again, none that is retired, and names them in the log', async () => {
    const fresh = await indexes();
    await dropIndexes();
    await db.collection('journal').drop();
    await (await open()).close();
    expect(await indexes()).toEqual(fresh);

    const [logger, clock] = [createRecordingLogger(), createFakeClock(START)];
    const again = async () => (await openMongo({ uri: opened.url, migrates: true, logger, clock })).close();
    await again();
    expect(logger.lines).toEqual([]);
    await db.collection('alerts').dropIndex('key_1');
    await again();

    const fields = { collection: 'alerts', indexes: ['key_1'] };
    expect(logger.lines).toMatchObject([
      { level: 'info', fields, message: 'indexes missing; building them' },
      { level: 'info', fields: { ...fields, seconds: 0 }, message: 'indexes built' },
    ]);
  });

  test.each<[string, string, (alerts: Collection<{ key: string }>) => Promise<unknown>]>([
    [
      'duplicates are in the way',
      'duplicate key error',
      (alerts) =>
        alerts.insertMany([{ key: 'secret-key' }, { key: 'secret-key' }], { bypassDocumentValidation: true }),
    ],
    [
      'an index that lets doubles in has the name',
      'key_1',
      (alerts) => alerts.createIndex({ key: 1 }, { name: 'key_1' }),
    ],
    [
      'an index has the fields under another name',
      'mine',
      (alerts) => alerts.createIndex({ key: 1 }, { name: 'mine', unique: true }),
    ],
  ])('is refused while %s, with the reason and what to do', async (_, reason, make) => {
    await db.collection('alerts').dropIndex('key_1');
    await make(db.collection('alerts'));

    const error = await open().catch((refused: Error) => refused);

    expect(error).toMatchObject({ name: 'UserError' });
    expect(String(error)).toContain('the indexes of the collection alerts cannot be built');
    expect(String(error)).toContain(reason);
    expect(String(error)).toContain('db.alerts.dropIndex(NAME)');
    expect(String(error)).not.toContain('secret-key');
  });
});

const ADDED = ['CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT'];

test('SQLite: a later step is applied once, and not to a new database, whose declarations have its outcome', () => {
  const db = new DatabaseSync(':memory:');
  migrateSqlite(db);
  const before = versionOf(db);

  migrateSqlite(db, ADDED);
  migrateSqlite(db, ADDED);

  expect(versionOf(db)).toBe(before + 1);
  db.exec('INSERT INTO added (id) VALUES (1)');
  expect(() => migrateSqlite(db)).toThrow(SchemaMismatch);

  const created = new DatabaseSync(':memory:');
  migrateSqlite(created, ADDED);
  expect(versionOf(created)).toBe(before + 1);
  expect(() => created.exec('INSERT INTO added (id) VALUES (1)')).toThrow('no such table');
});

test('SQLite: a step that fails leaves the database as it was', () => {
  const db = new DatabaseSync(':memory:');
  migrateSqlite(db);
  const before = versionOf(db);

  expect(() => migrateSqlite(db, [...ADDED, 'CREATE TABLE added (id)'])).toThrow('already exists');

  expect(versionOf(db)).toBe(before);
  migrateSqlite(db, ADDED);
});

test.skipIf(mongo?.available !== true)(
  'MongoDB: a later step is applied once, by a start alone, and not to a new database',
  async () => {
    const opened = (await mongo?.open()) as TestDatabase;
    await opened.database.close();
    onTestFinished(() => opened.drop());
    let runs = 0;
    const step = async () => {
      runs += 1;
    };
    const open = async (migrates: boolean) => {
      const options = { migrates, steps: [step], clock: createFakeClock(START), logger: silentLogger };
      const database = await openMongo({ uri: opened.url, ...options });
      await database.close();
    };

    await expect(open(false)).rejects.toThrow(SchemaMismatch);
    expect(runs).toBe(0);
    await open(true);
    await open(true);
    expect(runs).toBe(1);
    const client = await MongoClient.connect(opened.url);
    await client.db().dropDatabase();
    await client.close();
    await open(true);
    expect(runs).toBe(1);
  },
);
