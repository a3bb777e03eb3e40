import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DATABASE_TIMEOUT_MS } from '../../../../src/core/base/database-errors.ts';
import { type Database, openFeatures } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage, isOutcomeUnknown } from '../../../../src/infra/database/outage.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock, type FakeClock } from '../../../support/clock.ts';
import { asTheService, createRecordingLogger, type Line } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';
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
    vi.useFakeTimers({ toFake: ['performance'] });
    file = join(folder, 'data', 'tipoff.db');
    const { lines: logged, ...logger } = createRecordingLogger();
    lines = logged;
    database = await openDatabase(`sqlite:${file}`, { logger: asTheService(logger) });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const errors = () => lines.filter(({ level }) => level === 'error');

  test('makes every call of every store an outage, with one log line that has the path and the remedy', async () => {
    const features = openFeatures(database.documents);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name);
    vi.advanceTimersByTime(1_000);

    const { hiddenWallets } = database;
    const calls = [
      ...callsOf(database).filter(({ name }) => !((name.split('.')[0] as string) in features)),
      { name: 'hiddenWallets.list', method: () => hiddenWallets.list() },
      { name: 'hiddenWallets.remove', method: () => hiddenWallets.remove('0xa') },
    ];
    for (const { name, method } of calls) {
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
    vi.advanceTimersByTime(1_000);
    await expect(database.alerts.append(alertOf({ id: 2, key: 'b' }))).rejects.toThrow(
      'was deleted or moved',
    );
    await expect(database.ping()).rejects.toThrow('was deleted or moved');

    await rename(join(folder, 'elsewhere'), dirname(file));

    expect(await database.alerts.append(alertOf({ id: 2, key: 'b' }))).toBe('appended');
    expect((await database.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([2, 1]);
    expect(lines.map(({ message }) => message)).toEqual([LOST, 'the database file is back']);
  });

  test('gets what is written before that is noticed, for less than a second, and has it when it is back', async () => {
    await database.ping();
    await rename(dirname(file), join(folder, 'elsewhere'));
    vi.advanceTimersByTime(999);
    expect(await database.alerts.append(alertOf({ id: 1 }))).toBe('appended');
    vi.advanceTimersByTime(1);
    await expect(database.ping()).rejects.toThrow('was deleted or moved');

    await rename(join(folder, 'elsewhere'), dirname(file));

    expect((await database.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([1]);
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
    vi.advanceTimersByTime(1_000);

    await expect(database.alerts.append(alertOf({ id: 1 }))).rejects.toThrow('was replaced by another file');
    await expect(database.alerts.search({}, { page: 1, pageSize: 1 })).rejects.toThrow('was replaced');
    await database.close();

    const reopened = await openDatabase(`sqlite:${file}`);
    expect((await reopened.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([7]);
    await reopened.close();
  });
});

describe('an SQLite file that another process locks', () => {
  let folder: string;
  let database: Database;
  let other: DatabaseSync;
  let clock: FakeClock;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-locked-'));
    const file = join(folder, 'tipoff.db');
    clock = createFakeClock(START);
    database = await openDatabase(`sqlite:${file}`, { clock });
    await database.alerts.append(alertOf({ id: 1 }));
    other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
  });
  afterEach(async () => {
    other.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const preset = {
    id: 'pre_a',
    keyId: 'key_a',
    name: 'mine',
    filters: {},
    createdAt: START,
    feedHash: null,
  };
  /** One of each way to write: a statement, a transaction, a connection for counters. */
  const writes = () => ({
    'presets.insert': database.presets.insert(preset, 20),
    'alerts.append': database.alerts.append(alertOf({ id: 2, key: 'b' })),
    'usage.add': database.usage.add('2026-11-22', new Map([['key_a', 2]])),
  });

  test('is read meanwhile, and writes wait without blocking the event loop until the lock is gone', async () => {
    const startedAt = performance.now();
    const pending = Object.values(writes());
    // Each waits on the clock, which stands still: for its next attempt and for its time limit.
    await clock.asleep(2 * pending.length);
    expect((await database.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([1]);
    // SQLite's own wait would be 5 s each.
    expect(performance.now() - startedAt).toBeLessThan(4_000);

    other.exec('COMMIT');
    await clock.advance(100);
    await Promise.all(pending);

    expect((await database.alerts.latest({ limit: 5 })).map(({ id }) => id)).toEqual([2, 1]);
    expect(await database.presets.listByKey('key_a')).toEqual([preset]);
    expect(await database.usage.get('key_a', '2026-11-22')).toBe(2);
  });

  test('fails writes as an outage before their time limit: nothing was written', async () => {
    const ended = Object.entries(writes()).map(async ([name, write]) => ({
      name,
      error: await (write as Promise<unknown>).catch((error: unknown) => error),
    }));
    await clock.asleep(2 * ended.length);
    await clock.advance(DATABASE_TIMEOUT_MS - 1);

    for (const { name, error } of await Promise.all(ended)) {
      expect(String(error), name).toContain('database is locked');
      expect([isOutage(error), isOutcomeUnknown(error)], name).toEqual([true, false]);
    }
    other.exec('COMMIT');
    expect(clock.sleepers).toBe(0);
    expect(await database.presets.listByKey('key_a')).toEqual([]);
  });
});
