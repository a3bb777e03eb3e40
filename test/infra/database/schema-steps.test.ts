import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/infra/database/mongo/open-mongo.ts';
import { SchemaMismatch } from '../../../src/infra/database/schema-version.ts';
import { migrate, STEPS, versionOf } from '../../../src/infra/database/sqlite/schema.ts';
import { createFakeClock } from '../../support/clock.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ADDED = [...STEPS, 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT'];

test('SQLite: a later step is applied once, to a new database and to one of the step before', () => {
  for (const earlier of [[], STEPS]) {
    const db = new DatabaseSync(':memory:');
    if (earlier.length > 0) migrate(db, earlier);
    const before = versionOf(db);

    migrate(db, ADDED);
    migrate(db, ADDED);

    expect(versionOf(db)).toBeGreaterThan(before);
    db.exec('INSERT INTO added (id) VALUES (1)');
    expect(() => migrate(db)).toThrow(SchemaMismatch);
  }
});

test('SQLite: a step that fails leaves the database as it was', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const before = versionOf(db);

  expect(() => migrate(db, [...ADDED, 'CREATE TABLE added (id)'])).toThrow('already exists');

  expect(versionOf(db)).toBe(before);
  migrate(db, ADDED);
});

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

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
