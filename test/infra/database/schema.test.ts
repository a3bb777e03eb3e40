import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { openMongo } from '../../../src/infra/database/mongo/open-mongo.ts';
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
    // An earlier test may have left a kind of its own there.
    await db.dropDatabase();
    await (await open()).close();
  });
  afterEach(async () => {
    // Another test must not get its indexes.
    await db.dropDatabase();
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

  const open = () => openDatabase(opened.url, { logger: silentLogger, isStart: true });

  test('makes missing indexes and collections again, none that is retired, and names them in the log', async () => {
    const fresh = await indexes();
    await dropIndexes();
    await db.collection('events').drop();
    await (await open()).close();
    expect(await indexes()).toEqual(fresh);

    const [logger, clock] = [createRecordingLogger(), createFakeClock(START)];
    const again = async () => (await openMongo({ uri: opened.url, isStart: true, logger, clock })).close();
    await again();
    expect(logger.lines).toEqual([]);
    await db.collection('events').dropIndex('events_by_kind');
    await again();

    const fields = { collection: 'events', indexes: ['events_by_kind'] };
    expect(logger.lines).toMatchObject([
      { level: 'info', fields, message: 'indexes missing; building them' },
      { level: 'info', fields: { ...fields, seconds: 0 }, message: 'indexes built' },
    ]);
  });

  test.each<[string, string, (keys: Collection<{ lookup: string }>) => Promise<unknown>]>([
    [
      'duplicates are in the way',
      'duplicate key error',
      (keys) => keys.insertMany([{ lookup: 'secret-key' }, { lookup: 'secret-key' }]),
    ],
    [
      'an index that lets doubles in has the name',
      'api_keys_by_lookup',
      (keys) => keys.createIndex({ lookup: 1 }, { name: 'api_keys_by_lookup' }),
    ],
    [
      'an index has the fields under another name',
      'mine',
      (keys) => keys.createIndex({ lookup: 1 }, { name: 'mine', unique: true }),
    ],
  ])('is refused while %s, with the reason and what to do', async (_, reason, make) => {
    await db.collection('api_keys').dropIndex('api_keys_by_lookup');
    await make(db.collection('api_keys'));

    const error = await open().catch((refused: Error) => refused);

    expect(error).toMatchObject({ name: 'UserError' });
    expect(String(error)).toContain('the indexes of the collection api_keys cannot be built');
    expect(String(error)).toContain(reason);
    expect(String(error)).toContain('db.api_keys.dropIndex(NAME)');
    expect(String(error)).not.toContain('secret-key');
  });
});
