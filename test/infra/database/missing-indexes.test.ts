import { type Db, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untilAborted } from '../../../src/core/base/async/repeat.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { openMongo } from '../../../src/infra/database/mongo/open-mongo.ts';
import { alertOf } from '../../support/alerts.ts';
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

  test('makes every index of a new database again, and none that is retired', async () => {
    const fresh = await indexes();
    await dropIndexes();

    await (await open()).close();

    expect(await indexes()).toEqual(fresh);
  });

  test('makes a collection that is missing again', async () => {
    const fresh = await indexes();
    await db.collection('journal').drop();
    await db.collection('api_keys').drop();

    await (await open()).close();

    expect(await indexes()).toEqual(fresh);
  });

  test('keeps an alert from being inserted twice, as before', async () => {
    await dropIndexes();
    const database = await open();
    await database.alerts.append(alertOf({ id: 1 }));

    const again = await database.alerts.append(alertOf({ id: 2, key: alertOf({ id: 1 }).key }));
    await database.close();

    expect(again).toBe('duplicate');
    expect(await db.collection('alerts').countDocuments()).toBe(1);
  });

  test('is refused while duplicates are in the way, naming the collection, the index and what to do', async () => {
    await dropIndexes();
    const documents = [{ key: 'secret-key' }, { key: 'secret-key' }];
    await db.collection<{ key: string }>('alerts').insertMany(documents, { bypassDocumentValidation: true });

    const error = await open().catch((reason: Error) => reason);

    expect(error).toMatchObject({ name: 'UserError' });
    expect(String(error)).toMatch(/index key_1 of the collection alerts/);
    expect(String(error)).toMatch(/db\.alerts\.aggregate\(.*"\$key"/);
    expect(String(error)).not.toContain('secret-key');
  });

  test.each([
    ['the name and lets doubles in', { name: 'key_1', isUnique: false }],
    ['the fields under another name', { name: 'mine', isUnique: true }],
  ])('is refused while an index that is not its own has %s', async (_, { name, isUnique }) => {
    await db.collection('alerts').dropIndex('key_1');
    await db.collection('alerts').createIndex({ key: 1 }, { name, ...(isUnique && { unique: true }) });

    const error = await open().catch((reason: Error) => reason);

    expect(error).toMatchObject({ name: 'UserError' });
    expect(String(error)).toMatch(
      /index.* of the collection alerts.*key_1|index key_1 of the collection alerts/,
    );
    expect(String(error)).toContain('key_1');
    expect(String(error)).toContain(name);
    expect(String(error)).toContain('db.alerts.dropIndex(NAME)');
  });

  test('names the missing indexes of an existing collection in the log, and is silent where all are there', async () => {
    const logger = createRecordingLogger();
    const clock = createFakeClock(START);
    await (await openMongo({ uri: opened.url, migrates: true, logger, clock })).close();
    expect(logger.lines).toEqual([]);
    await db.collection('alerts').dropIndex('key_1');

    await (await openMongo({ uri: opened.url, migrates: true, logger, clock })).close();

    const fields = { collection: 'alerts', indexes: ['key_1'] };
    expect(logger.lines).toMatchObject([
      { level: 'info', fields, message: 'indexes missing; building them' },
      { level: 'info', fields: { ...fields, seconds: 0 }, message: 'indexes built' },
    ]);
  });

  test('reports every 10 s that a build continues', async () => {
    const logger = createRecordingLogger();
    const slept = new Set<unknown>();
    const sleep = async (ms: number, signal?: AbortSignal) => {
      expect(ms).toBe(10_000);
      if (slept.has(signal) && signal !== undefined) await untilAborted(signal);
      slept.add(signal);
    };
    await db.collection('alerts').dropIndex('key_1');

    await (
      await openMongo({ uri: opened.url, migrates: true, logger, clock: { now: () => START, sleep } })
    ).close();

    const message = 'index build in progress';
    const line = { message, fields: { collection: 'alerts', indexes: ['key_1'], seconds: 0 } };
    expect(logger.lines).toContainEqual(expect.objectContaining(line));
  });
});
