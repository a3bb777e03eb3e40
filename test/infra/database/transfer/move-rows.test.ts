import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openReader } from '../../../../src/infra/database/sqlite/connection.ts';
import { copyRows } from '../../../../src/infra/database/transfer/copy-rows.ts';
import { openRowSource, openRowTarget } from '../../../../src/infra/database/transfer/open-rows.ts';
import {
  LEFT_OUT,
  type RowSource,
  TABLE_GROUPS,
} from '../../../../src/infra/database/transfer/transfer-table.ts';
import { DATABASES } from '../../../support/databases.ts';
import { generatedSource } from '../../../support/transfer/generated-rows.ts';
import { SILENT_LOG, watchOf } from '../../../support/transfer/silent-watch.ts';

const NAMES = TABLE_GROUPS.flat().map(({ name }) => name);
const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

async function sqliteUrl(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-move-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'data', 'tipoff.db')}`;
}

async function mongoUrl(): Promise<string> {
  const opened = await mongo?.open();
  if (opened === undefined) throw new Error('no such database');
  onTestFinished(opened.drop);
  return opened.url;
}

async function moved(source: RowSource, url: string) {
  const target = await openRowTarget({ url }, SILENT_LOG);
  try {
    const reports = await copyRows({ source, target, isStill: true, watch: watchOf() });
    expect(reports.filter(({ source, target }) => source.hash !== target.hash)).toEqual([]);
    return reports.map(({ name, target }) => ({ name, ...target }));
  } finally {
    await target.close();
  }
}

async function movedFrom(from: string, to: string) {
  const source = await openRowSource({ url: from }, SILENT_LOG, { isFrozen: false });
  try {
    return await moved(source, to);
  } finally {
    await source.close();
  }
}

describe('every table is copied, or named as left out with a reason', () => {
  test('of SQLite', async () => {
    const url = await sqliteUrl();
    await (await openDatabase(url)).close();
    const db = openReader(url.slice('sqlite:'.length));
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    db.close();

    const known = [...NAMES, ...Object.keys(LEFT_OUT)];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(String(name)))).toEqual([]);
  });

  test.skipIf(mongo?.available !== true)('of MongoDB', async () => {
    const client = await MongoClient.connect(await mongoUrl());
    const collections = await client.db().listCollections().toArray();
    await client.close();

    const known = [...NAMES, ...Object.keys(LEFT_OUT)];
    expect(collections.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('a database is moved with every row as it is', () => {
  test('from SQLite to SQLite', async () => {
    const [one, two] = [await sqliteUrl(), await sqliteUrl()];
    const first = await moved(generatedSource(5), one);
    expect(first.map(({ name, rows }) => [name, rows])).toEqual(NAMES.map((name) => [name, 5]));
    expect(await movedFrom(one, two)).toEqual(first);
  });

  test.skipIf(mongo?.available !== true)('from SQLite to MongoDB, to MongoDB, and back', async () => {
    const [one, two, three, four] = [
      await sqliteUrl(),
      await mongoUrl(),
      await mongoUrl(),
      await sqliteUrl(),
    ];
    const first = await moved(generatedSource(5), one);
    expect(await movedFrom(one, two)).toEqual(first);
    expect(await movedFrom(two, three)).toEqual(first);
    expect(await movedFrom(three, four)).toEqual(first);
  });
});
