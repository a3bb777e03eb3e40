import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openReader } from '../../../../src/infra/database/sqlite/connection.ts';
import { copyRows } from '../../../../src/infra/database/transfer/copy-rows.ts';
import { refuseRunning } from '../../../../src/infra/database/transfer/move-database.ts';
import { openRowSource, openRowTarget } from '../../../../src/infra/database/transfer/open-rows.ts';
import {
  LEFT_OUT,
  type RowSource,
  type RowTarget,
  TABLE_GROUPS,
} from '../../../../src/infra/database/transfer/transfer-table.ts';
import { settlementOf } from '../../../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { takeLease } from '../../../support/lease.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
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
    const documents = "SELECT kind FROM document_kinds UNION SELECT 'document_kinds'";
    const query = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (${documents})`;
    const tables = db.prepare(query).all();
    db.close();

    const known = [...NAMES, ...Object.keys(LEFT_OUT)];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(String(name)))).toEqual([]);
  });

  test.skipIf(mongo?.available !== true)('of MongoDB', async () => {
    const client = await MongoClient.connect(await mongoUrl());
    const collections = await client.db().listCollections().toArray();
    // The versions of documents are by their kinds.
    const versions = await client.db().collection<{ _id: string }>('schema_version').find().toArray();
    await client.close();

    const known = [...NAMES, ...Object.keys(LEFT_OUT), ...versions.map(({ _id }) => _id)];
    expect(collections.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('a database is moved with every row as it is', () => {
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

const TABLES = TABLE_GROUPS.flat();

/** Passes some writes on; of the next, only rows of a database without transactions, as a kill may leave it. */
function killedAfter(passed: number, target: RowTarget): RowTarget {
  let writes = 0;
  const write: RowTarget['write'] = async (table, rows) => {
    writes += 1;
    if (writes <= passed) return target.write(table, rows);
    if (target.name.startsWith('mongodb')) await target.write(table, rows.slice(0, 2));
    throw new Error('killed');
  };
  return new Proxy(target, {
    get: (_, name) => (name === 'write' ? write : bound(target, Reflect.get(target, name))),
  });
}

function bound(target: object, value: unknown): unknown {
  return typeof value === 'function' ? value.bind(target) : value;
}

async function attempt(source: RowSource, url: string, writes = Number.POSITIVE_INFINITY) {
  const target = await openRowTarget({ url }, SILENT_LOG);
  try {
    return await copyRows({
      source,
      target: killedAfter(writes, target),
      isStill: true,
      watch: watchOf(),
    });
  } finally {
    await target.close();
  }
}

describe.each(DATABASES)('a move into $name', ({ available, open }) => {
  async function opened(): Promise<TestDatabase> {
    const found = await open();
    onTestFinished(found.drop);
    return found;
  }

  test.skipIf(!available)('that is killed at any table is completed by the next attempt', async () => {
    const { url, database } = await opened();
    await database.close();
    const source = generatedSource(3);
    for (let writes = 0; writes < TABLES.length; writes += 8)
      await expect(attempt(source, url, writes)).rejects.toThrow('killed');

    const opening = openDatabase(url, { logger: silentLogger });
    await expect(opening).rejects.toThrow(/target of an unfinished move/);
    const another = attempt({ ...source, name: 'another' }, url);
    await expect(another).rejects.toThrow(/unfinished move from generated/);
    const reports = await attempt(source, url);
    expect(reports.map((report) => report.target)).toEqual(reports.map((report) => report.source));
    expect(reports.map(({ source: { rows } }) => rows)).toEqual(TABLES.map(() => 3));
    await (await openDatabase(url, { logger: silentLogger })).close();
  });

  test.skipIf(!available)('stays unfinished when the source has changed meanwhile', async () => {
    const { url, database } = await opened();
    await database.close();
    await expect(attempt(generatedSource(2), url, 1)).rejects.toThrow('killed');

    const reports = await attempt(generatedSource(1), url);
    const different = reports.filter((report) => report.source.hash !== report.target.hash);
    expect(different.map(({ name }) => name)).toContain(TABLES[0]?.name);
    await expect(openDatabase(url, { logger: silentLogger })).rejects.toThrow(/target of an unfinished move/);
  });

  test.skipIf(!available)('is refused when it has rows, and nothing is changed', async () => {
    const { url, database } = await opened();
    await database.settlements.put(settlementOf());
    await database.close();
    await expect(attempt(generatedSource(1), url)).rejects.toThrow(
      /is not empty: it has rows in settlements/,
    );
    await (await openDatabase(url, { logger: silentLogger })).close();
  });

  test.skipIf(!available)('is refused while a process of the service runs on it', async () => {
    const { url, database } = await opened();
    const now = 1_000_000;
    await takeLease(database, 'elsewhere/1/a', now - 1);
    await database.close();
    const source = await openRowSource({ url }, SILENT_LOG, { isFrozen: true });
    onTestFinished(() => source.close());
    await expect(refuseRunning(source, now)).rejects.toThrow(/The service runs on .* \(elsewhere\/1\)/);
    await refuseRunning(source, now + 2_000);
  });
});
