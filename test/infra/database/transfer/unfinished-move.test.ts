import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openWriter } from '../../../../src/infra/database/sqlite/connection.ts';
import { moveRows } from '../../../../src/infra/database/transfer/copy-rows.ts';
import { refuseRunning } from '../../../../src/infra/database/transfer/move-database.ts';
import { openRowSource, openRowTarget } from '../../../../src/infra/database/transfer/open-rows.ts';
import {
  type RowSource,
  type RowTarget,
  TABLE_GROUPS,
} from '../../../../src/infra/database/transfer/transfer-table.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { generatedSource } from '../../../support/transfer/generated-rows.ts';
import { SILENT_LOG, watchOf } from '../../../support/transfer/silent-watch.ts';

const TABLES = TABLE_GROUPS.flat();

/** Passes one write on; of the next, only rows of a database without transactions, as a kill may leave it. */
function killedAfterOne(target: RowTarget): RowTarget {
  let writes = 0;
  const write: RowTarget['write'] = async (table, rows, progress) => {
    writes += 1;
    if (writes === 1) return target.write(table, rows, progress);
    if (target.name.startsWith('mongodb'))
      await target.write(table, rows.slice(0, 2), { after: null, isDone: false });
    throw new Error('killed');
  };
  return new Proxy(target, {
    get: (_, name) => (name === 'write' ? write : bound(target, Reflect.get(target, name))),
  });
}

function bound(target: object, value: unknown): unknown {
  return typeof value === 'function' ? value.bind(target) : value;
}

async function attempt(source: RowSource, url: string, change = (target: RowTarget) => target) {
  const target = await openRowTarget({ url }, SILENT_LOG);
  try {
    return await moveRows({ source, target: change(target), watch: watchOf() });
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

  test.skipIf(!available)(
    'that is killed after every table continues each time, to the same end',
    async () => {
      const { url, database } = await opened();
      await database.close();
      const source = generatedSource(3);
      for (const _ of TABLES.slice(1))
        await expect(attempt(source, url, killedAfterOne)).rejects.toThrow('killed');

      await expect(openDatabase(url, { logger: silentLogger })).rejects.toThrow(
        /target of an unfinished move/,
      );
      await expect(attempt({ ...source, name: 'another' }, url)).rejects.toThrow(
        /unfinished move from generated/,
      );
      const reports = await attempt(source, url);
      expect(reports.map((report) => report.target)).toEqual(reports.map((report) => report.source));
      expect(reports.map(({ source: { rows } }) => rows)).toEqual(TABLES.map(() => 3));
      await (await openDatabase(url, { logger: silentLogger })).close();
    },
  );

  test.skipIf(!available)('stays unfinished when the source has changed meanwhile', async () => {
    const { url, database } = await opened();
    await database.close();
    await expect(attempt(generatedSource(2), url, killedAfterOne)).rejects.toThrow('killed');

    const reports = await attempt(generatedSource(1), url);
    const different = reports.filter((report) => report.source.hash !== report.target.hash);
    expect(different.map(({ name }) => name)).toContain(TABLES[0]?.name);
    await expect(openDatabase(url, { logger: silentLogger })).rejects.toThrow(/target of an unfinished move/);
  });

  test.skipIf(!available)('is refused when it has rows, and nothing is changed', async () => {
    const { url, database } = await opened();
    await database.pauses.pause({ name: 'channels', at: 1, by: 'ann' } as never);
    await database.close();
    await expect(attempt(generatedSource(1), url)).rejects.toThrow(/is not empty: it has rows in switches/);
    await (await openDatabase(url, { logger: silentLogger })).close();
  });

  test.skipIf(!available)('is refused while a process of the service runs on it', async () => {
    const { url, database } = await opened();
    const now = 1_000_000;
    await database.heartbeats.beat({ owner: 'elsewhere/1/a', roles: [], at: now - 29_000, checks: {} });
    await database.close();
    const source = await openRowSource({ url }, SILENT_LOG, { isFrozen: true });
    onTestFinished(() => source.close());
    await expect(refuseRunning(source, now)).rejects.toThrow(/The service runs on .* \(elsewhere\/1\)/);
    await refuseRunning(source, now + 2_000);
  });
});

test('a source of another version, and one that is not there, is refused and not changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-move-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, 'tipoff.db')}`;
  const source = () => openRowSource({ url }, SILENT_LOG, { isFrozen: true });
  await expect(source()).rejects.toThrow(/DATABASE_URL: there is no file .*tipoff\.db/);

  await (await openDatabase(url)).close();
  const db = openWriter(url.slice('sqlite:'.length), 'OFF');
  onTestFinished(() => db.close());
  db.exec('PRAGMA user_version = 8');
  await expect(source()).rejects.toThrow(/schema version 8.*Start with a new database/);
  db.exec('PRAGMA user_version = 99');
  await expect(source()).rejects.toThrow(/schema version 99/);
});
