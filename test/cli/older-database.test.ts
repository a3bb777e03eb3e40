import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bringBackToTenth } from '../infra/database/version-10.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function tipoff(url: string, ...args: string[]): Promise<Run> {
  const env = { ...process.env, DATABASE_URL: url, NO_COLOR: undefined, FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['src/cli/tipoff.ts', ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
    child.stdin?.end();
  });
}

/** All that a migration could change: the bytes of the file, or version, collections and indexes. */
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

describe.each(DATABASES)('a $name database of an older version', ({ available, open }) => {
  describe.skipIf(!available)('is left as it is, with exit code 2 and one line, by', () => {
    let folder: string;
    let opened: TestDatabase;
    let before: unknown;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tipoff-older-'));
      opened = await open();
      await opened.database.close();
      await bringBackToTenth(opened.url);
      before = await stateOf(opened.url);
    });
    afterAll(async () => {
      await opened.drop();
      await rm(folder, { recursive: true, force: true });
    });

    test.each<[string, readonly string[], string]>([
      ['keys', ['list'], 'Only a start migrates it'],
      ['admin', ['health'], 'Only a start migrates it'],
      ['chat', [], 'Only a start migrates it'],
      ['record', ['-'], 'Only a start migrates it'],
      ['backup', ['FOLDER/backup.db'], 'Back it up with the version that wrote it'],
      ['move', ['--from', 'URL', '--to', 'sqlite:FOLDER/new.db'], 'tipoff start'],
      ['move', ['--from', 'sqlite:FOLDER/empty.db', '--to', 'URL'], 'Name a new, empty database'],
    ])('%s %j', async (command, args, remedy) => {
      await (await import('../../src/infra/database/database.ts'))
        .openDatabase(`sqlite:${folder}/empty.db`)
        .then((one) => one.close());
      const given = args.map((arg) => arg.replace('FOLDER', folder).replace('URL', opened.url));

      const { code, err, out } = await tipoff(opened.url, command, ...given);

      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^[^\n]*schema version 10\b[^\n]*\n$/);
      expect(err).toContain(remedy);
      const [place = ''] = opened.url
        .replace(/^sqlite:/, '')
        .replace(/^mongodb:\/\//, '')
        .split('/?');
      expect(err).toContain(opened.url.startsWith('sqlite:') ? place : 'MongoDB at ');
      expect(await stateOf(opened.url)).toEqual(before);
    });
  });
});
