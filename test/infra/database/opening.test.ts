import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { alertOf } from '../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('opening', (fixture) => {
  test('again keeps what is there', async () => {
    await fixture.database.alerts.append(alertOf({ id: 1 }));
    await fixture.database.close();

    expect(await (await fixture.another()).alerts.byId(1)).toStrictEqual(alertOf({ id: 1 }));
  });

  test('by several processes concurrently works', async () => {
    const opened = await Promise.all([fixture.another(), fixture.another(), fixture.another()]);

    for (const database of opened) await database.ping();
  });

  test('refuses a database that a newer build has migrated, and names both versions', async () => {
    await fixture.database.close();
    await setVersion(fixture.url, 99);

    await expect(openDatabase(fixture.url)).rejects.toThrow(/version 99.*up to 11\b/);
  });

  test('ping fails once the database is closed, and closing twice does no harm', async () => {
    await fixture.database.ping();
    await fixture.database.close();
    await fixture.database.close();

    await expect(fixture.database.ping()).rejects.toThrow();
  });
});

async function setVersion(url: string, version: number): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    return;
  }
  const client = await MongoClient.connect(url);
  await client.db().collection('schema_version').updateOne({}, { $set: { version } });
  await client.close();
}

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`a database of version 1 on ${mongo?.name}`, () => {
  test('is migrated by several processes concurrently, and loses its retired indexes', async () => {
    const opened = (await mongo?.open()) as TestDatabase;
    const client = await MongoClient.connect(opened.url);
    onTestFinished(async () => {
      await client.close();
      await opened.drop();
    });
    const alerts = client.db().collection('alerts');
    const facets = { category: 1, side: 1, type: 1, score: 1, usdc: 1, isResolved: 1, listing: 1 } as const;
    for (let round = 0; round < 5; round += 1) {
      await alerts.dropIndexes();
      const retired = await alerts.createIndexes([
        { key: { _id: 1, ...facets } },
        { key: { listing: 1, _id: 1 } },
      ]);
      await setVersion(opened.url, 1);
      const processes = await Promise.all(
        [1, 2, 3, 4].map(() => openDatabase(opened.url, { logger: silentLogger, migrates: true })),
      );
      await Promise.all(processes.map((database) => database.close()));

      const left = (await alerts.indexes()).map(({ name }) => name ?? '');
      expect(left.filter((name) => retired.includes(name))).toEqual([]);
    }
  });
});

describe('openDatabase', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each(['sqlite:', 'sqlite://'])('takes %sFILE and makes its folder', async (scheme) => {
    const file = join(folder, 'a', 'b', 'tipoff.db');

    const database = await openDatabase(`${scheme}${file}`);
    await database.close();

    expect(existsSync(file)).toBe(true);
  });

  test('sqlite::memory: keeps nothing and answers everything', async () => {
    const database = await openDatabase('sqlite::memory:');
    await database.alerts.append(alertOf({ id: 1 }));

    const { total } = await database.alerts.search({ side: 'BUY' }, { page: 1, pageSize: 1 });
    await database.close();

    expect(total).toBe(1);
  });

  test.each(['', 'postgres://me:secret@host/db', '/data/tipoff.db', 'sqlite:', 'me:secret'])(
    'refuses %j, says what it takes, and repeats no password',
    async (url) => {
      const error = await openDatabase(url).catch((reason: Error) => reason);

      expect(error).toMatchObject({ name: 'UserError' });
      expect(String(error)).toContain('expected sqlite:FILE or mongodb://HOST/NAME');
      expect(String(error)).not.toContain('secret');
    },
  );

  test.each([
    'mongodb://me:SECRET@127.0.0.1:1/db?serverSelectionTimeoutMS=200',
    'mongodb://me:SECRET@127.0.0.1:notaport/db',
    'mongodb://me:SECRET/with@slash@127.0.0.1/db',
    'mongodb://me:SECRET%2Fescaped@/db',
    'mongodb://me:SECRET@127.0.0.1:1/db?nonsense=1',
    'mongodb+srv://me:SECRET@a/db',
  ])('fails clearly and without the password where MongoDB cannot be used: %s', async (template) => {
    const secret = randomBytes(8).toString('hex');

    const error = await openDatabase(template.replace('SECRET', secret)).catch((reason: Error) => reason);

    // The first is right, and its server may be started later.
    expect(error).toMatchObject({
      name: template.includes(':1/db?server') ? 'DatabaseUnavailable' : 'UserError',
    });
    expect(String(error)).toContain('DATABASE_URL: MongoDB at');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
  });

  test('sqlite: a new file can be opened by several threads at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const file = join(folder, `${round}.db`);
      const gate = new Int32Array(new SharedArrayBuffer(4));
      const workerData = { module: SQLITE_CONNECTION, file, gate };
      const workers = [1, 2, 3].map(() => new Worker(OPENS_WHEN_TOLD, { eval: true, workerData }));
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      const ends = workers.map((worker) => once(worker, 'exit'));
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);

      // A thread that cannot open the file rejects with its error.
      expect((await Promise.all(ends)).flat()).toEqual([0, 0, 0]);
    }
  });
});

const SQLITE_CONNECTION = new URL('../../../src/infra/database/sqlite/connection.ts', import.meta.url).href;
const OPENS_WHEN_TOLD = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.module).then(({ openWriter }) => {
  parentPort.postMessage('loaded');
  Atomics.wait(workerData.gate, 0, 0);
  openWriter(workerData.file, 'FULL').close();
});`;
