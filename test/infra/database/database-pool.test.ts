import { type Db, MongoClient } from 'mongodb';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { DATABASES } from '../../support/databases.ts';
import { DatabasePool } from '../../support/mongod/database-pool.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const server = inject('mongoUri');

async function connect(url: string) {
  const client = await MongoClient.connect(url);
  onTestFinished(() => client.close());
  return client.db();
}

/** Of each collection its documents, the schema's version apart, and its indexes. */
async function contentOf(url: string) {
  const collections = await (await connect(url)).collections();
  const found = collections.map(async (collection) => {
    const { collectionName } = collection;
    const documents = collectionName === 'schema_version' ? 1 : await collection.countDocuments();
    const indexes = await collection.indexes();
    return [collectionName, { documents, indexes: indexes.map(({ name }) => name).toSorted() }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

describe.skipIf(server === null)('the databases that tests use one after the other', () => {
  test('one that comes back is empty and has the collections, indexes and version of a new one', async () => {
    const pool = new DatabasePool(server ?? '', inject('databasePrefix'));
    const url = await pool.take();
    const fresh = await contentOf(url);
    const db = await connect(url);
    for (const name of Object.keys(fresh))
      if (name !== 'schema_version') await db.collection(name).insertOne({ left: 'behind' });
    pool.giveBack(url);

    expect(await pool.take()).toBe(url);

    expect(await contentOf(url)).toEqual(fresh);
    expect(Object.keys(fresh).length).toBeGreaterThan(30);
    await (await openDatabase(url, { logger: silentLogger })).close();
    expect(await contentOf(url)).toEqual(fresh);
  });

  test.each<readonly [string, (db: Db) => Promise<unknown>]>([
    ['version', (db) => db.collection('schema_version').updateOne({}, { $set: { version: 1 } })],
    ['indexes', (db) => db.collection('alerts').createIndex({ added: 1 })],
    ['collections', (db) => db.createCollection('added')],
  ])('one whose %s were changed by its address is dropped instead', async (_, change) => {
    const mongo = DATABASES.find(({ name }) => name === 'MongoDB');
    const opened = await mongo?.open();
    const { url } = opened ?? { url: '' };
    await change(await connect(url));
    await opened?.drop();

    expect(Object.keys(await contentOf(url))).toEqual([]);
  });

  test('one whose address was asked for, and that has its schema still, is used again', async () => {
    const pool = new DatabasePool(server ?? '', inject('databasePrefix'));
    const url = await pool.take();
    await pool.giveBackOrDrop(url);

    expect(await pool.take()).toBe(url);
  });

  test('two that are in use at the same time are two', async () => {
    const pool = new DatabasePool(server ?? '', inject('databasePrefix'));
    const taken = await Promise.all([pool.take(), pool.take()]);
    for (const url of taken) pool.giveBack(url);
    const again = await Promise.all([pool.take(), pool.take()]);

    expect(new Set(taken).size).toBe(2);
    expect(new Set(again)).toEqual(new Set(taken));
  });
});
