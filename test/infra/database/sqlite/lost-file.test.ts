import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage } from '../../../../src/infra/database/outage.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createRecordingLogger, type Line } from '../../../support/recording-logger.ts';
import { callsOf } from '../all-calls.ts';

/** Takes the place of any argument, up to the statement that it would be bound to. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, key) => {
    if (key === Symbol.iterator) return () => [anything][Symbol.iterator]();
    if (key === Symbol.toPrimitive) return () => 1;
    if (key === 'flatMap') return (each: (item: unknown) => unknown) => [each(anything)].flat();
    // Lines of the journal are packed first.
    if (key === 'some') return () => false;
    if (key === 'join') return () => '';
    return key === 'then' ? undefined : anything;
  },
});

const LOST = 'database file lost; nothing is written';

describe.skipIf(process.platform === 'win32')('an SQLite file that is lost while it is open', () => {
  let folder: string;
  let file: string;
  let database: Database;
  let lines: Line[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-lost-'));
    file = join(folder, 'data', 'tipoff.db');
    const { lines: logged, ...logger } = createRecordingLogger();
    lines = logged;
    database = await openDatabase(`sqlite:${file}`, { logger });
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const errors = () => lines.filter(({ level }) => level === 'error');

  test('makes every call of every store an outage, with one log line that has the path and the remedy', async () => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name);

    for (const { name, method } of callsOf(database)) {
      const error = await method(anything, anything, anything).catch((reason: unknown) => reason);
      expect(String(error), name).toContain(`DATABASE_URL: ${file} was deleted or moved while it was open`);
      expect(isOutage(error), name).toBe(true);
    }
    expect(errors()).toMatchObject([
      { message: LOST, fields: { file, reason: expect.stringContaining('Put back the same file') } },
    ]);
    expect(existsSync(file)).toBe(false);
  });

  test('with its folder moved away and back, is used again with all it held', async () => {
    await database.alerts.append(alertOf({ id: 1 }));
    await rename(dirname(file), join(folder, 'elsewhere'));
    await expect(database.alerts.append(alertOf({ id: 2, key: 'b' }))).rejects.toThrow(
      'was deleted or moved',
    );
    await expect(database.ping()).rejects.toThrow('was deleted or moved');

    await rename(join(folder, 'elsewhere'), dirname(file));

    expect(await database.alerts.append(alertOf({ id: 2, key: 'b' }))).toBe('appended');
    expect((await database.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([2, 1]);
    expect(lines.map(({ message }) => message)).toEqual([LOST, 'the database file is back']);
  });

  test('replaced by another file, stays refused, and closing leaves the other file as it is', async () => {
    await mkdir(join(folder, 'other'));
    const other = join(folder, 'other', 'tipoff.db');
    const restored = await openDatabase(`sqlite:${other}`);
    await restored.alerts.append(alertOf({ id: 7 }));
    // What a copy of a database in use consists of: the last alert is in the log.
    for (const end of ['', '-wal', '-shm']) await copyFile(`${other}${end}`, `${other}-copy${end}`);
    await restored.close();
    for (const end of ['', '-wal', '-shm']) await rename(`${other}-copy${end}`, `${file}${end}`);

    await expect(database.alerts.append(alertOf({ id: 1 }))).rejects.toThrow('was replaced by another file');
    await expect(database.alerts.search({}, { page: 1, pageSize: 1 })).rejects.toThrow('was replaced');
    await database.close();

    const reopened = await openDatabase(`sqlite:${file}`);
    expect((await reopened.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([7]);
    await reopened.close();
  });
});
