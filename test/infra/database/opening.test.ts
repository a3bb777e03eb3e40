import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('opening', (fixture) => {
  test('ping fails once the database is closed, and closing twice does no harm', async () => {
    await fixture.database.ping();
    await fixture.database.close();
    await fixture.database.close();

    await expect(fixture.database.ping()).rejects.toThrow();
  });
});

describe('openDatabase', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

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
