import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DATABASE_TIMEOUT_MS } from '../../../../src/core/base/database-errors.ts';
import type { Database } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage, isOutcomeUnknown } from '../../../../src/infra/database/outage.ts';
import { alertOf } from '../../../support/alerts.ts';
import { createFakeClock, type FakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';

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

  const preset = { id: 'pre_a', keyId: 'key_a', name: 'mine', filters: {}, createdAt: START };
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
