import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../../../src/infra/database/sqlite/open-sqlite.ts';
import { alertOf } from '../../support/alerts.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  path = join(folder, 'tipoff.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a search waits for no writer', async () => {
  const database = await openSqlite({ path });
  await database.alerts.append(alertOf({ id: 1 }));
  const writer = new DatabaseSync(path);
  writer.exec('BEGIN IMMEDIATE');

  const { total } = await database.alerts.search({ side: 'BUY' }, { page: 1, pageSize: 1 });

  writer.exec('ROLLBACK');
  writer.close();
  await database.close();
  expect(total).toBe(1);
});
