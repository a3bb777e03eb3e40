import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sqliteFile } from '../../src/infra/database/database.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { runTipoff } from '../support/run-tipoff.ts';

const tipoff = (url: string, ...args: string[]) =>
  runTipoff(args, { ...process.env, DATABASE_URL: url, NO_COLOR: undefined, FORCE_COLOR: undefined });

/** All that an opening could change: the bytes of the file, or version, collections and indexes. */
async function stateOf(url: string): Promise<unknown> {
  if (url.startsWith('sqlite:')) return (await readFile(url.slice('sqlite:'.length))).toString('base64');
  const client = await MongoClient.connect(url);
  const db = client.db();
  const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
  const indexes = await Promise.all(names.map((name) => db.collection(name).indexes()));
  const version = await db.collection('schema_version').find().toArray();
  await client.close();
  return { names, indexes, version };
}

describe.each(DATABASES)('a $name database of another build', ({ available, open }) => {
  describe.skipIf(!available)('is left as it is, with exit code 2 and one line, by', () => {
    let folder: string;
    let opened: TestDatabase;
    let before: unknown;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tipoff-other-build-'));
      const empty = `sqlite:${folder}/empty.db`;
      await (await openDatabase(empty)).close();
      await tipoff(empty, 'export', `${folder}/empty.jsonl`);
      opened = await open();
      await opened.database.close();
      await setVersion(opened.url, 11);
      before = await stateOf(opened.url);
    });
    afterAll(async () => {
      await opened.drop();
      await rm(folder, { recursive: true, force: true });
    });

    test.each<[string, ...string[]]>([
      ['start'],
      ['keys', 'list'],
      ['chat'],
      ['export', '-'],
      ['import', 'FOLDER/empty.jsonl'],
    ])('%s %s', async (...args) => {
      const given = args.map((arg) => arg.replace('FOLDER', folder));

      const { code, err, out } = await tipoff(opened.url, ...given);

      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        /^[^\n]*schema version 11\b[^\n]*\. Use the build that made it, or start with a new database\.\n$/,
      );
      expect(err).toContain(sqliteFile(opened.url) ?? 'MongoDB at ');
      expect(await stateOf(opened.url)).toEqual(before);
    });
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
