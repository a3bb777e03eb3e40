import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { openSqliteTarget } from '../../../../src/infra/database/sqlite/sqlite-rows.ts';
import { writeBackup } from '../../../../src/infra/database/transfer/backup-file.ts';
import { settlementOf } from '../../../support/alerts.ts';
import { SILENT_LOG, watchOf } from '../../../support/transfer/silent-watch.ts';

describe('the file of a backup', () => {
  let folder: string;
  let database: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-file-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    database = join(folder, 'tipoff.db');
    file = join(folder, 'backup.db');
    const opened = await openDatabase(`sqlite:${database}`);
    await opened.settlements.put(settlementOf());
    await opened.close();
  });

  const backUp = ({ isForced = false, to = file, watch = watchOf() } = {}) =>
    writeBackup({ url: `sqlite:${database}`, file: to, isForced, log: SILENT_LOG, watch });

  test('is one file, for this user alone, and a database of the service', async () => {
    const reports = await backUp();
    expect(reports.find(({ name }) => name === 'settlements')?.target.rows).toBe(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const opened = await openDatabase(`sqlite:${file}`);
    expect(await opened.settlements.newest(2)).toHaveLength(1);
    await opened.close();
  });

  test('replaces another only when it is forced, and never the database, by whatever name', async () => {
    await writeFile(file, 'mine');
    await expect(backUp()).rejects.toThrow(/backup\.db exists\. --force replaces it/);
    expect(await readFile(file, 'utf8')).toBe('mine');
    await backUp({ isForced: true });
    expect(statSync(file).size).toBeGreaterThan(1_000);

    const link = join(folder, 'link.db');
    await symlink(database, link);
    await expect(backUp({ isForced: true, to: link })).rejects.toThrow(/is the database/);
  });

  test('is not there, and an earlier one is as it was, when it is interrupted', async () => {
    await writeFile(file, 'mine');
    const stop = new AbortController();
    const watch = watchOf(() => stop.abort(), stop.signal);
    await expect(backUp({ isForced: true, watch })).rejects.toThrow(/abort/);
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  });

  test('takes over what a killed backup left, and is refused while another writes it', async () => {
    const other = openSqliteTarget(`${file}.partial`);
    await expect(backUp()).rejects.toThrow(/open in another process/);
    await other.close();
    await backUp();
    expect(existsSync(`${file}.partial`)).toBe(false);
  });
});
