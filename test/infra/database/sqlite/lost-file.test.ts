import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFeatures } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage } from '../../../../src/infra/database/outage.ts';
import { asTheService, createRecordingLogger } from '../../../support/recording-logger.ts';
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

test.skipIf(process.platform === 'win32')(
  'an SQLite file that is lost while it is open makes every call of every store an outage, with one log line that has the path and the remedy',
  async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = await mkdtemp(join(tmpdir(), 'tipoff-lost-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'data', 'tipoff.db');
    const { lines, ...logger } = createRecordingLogger();
    const database = await openDatabase(`sqlite:${file}`, { logger: asTheService(logger) });
    onTestFinished(database.close);
    const features = openFeatures(database.documents);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name);
    vi.advanceTimersByTime(1_000);

    for (const { name, method } of callsOf(database)) {
      // Of documents it is shown on their port.
      if ((name.split('.')[0] as string) in features) continue;
      const error = await method(anything, anything, anything).catch((reason: unknown) => reason);
      expect(String(error), name).toContain(`DATABASE_URL: ${file} was deleted or moved while it was open`);
      expect(isOutage(error), name).toBe(true);
    }
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      {
        message: 'database file lost; nothing is written',
        fields: { file, reason: expect.stringContaining('Put back the same file') },
      },
    ]);
    expect(existsSync(file)).toBe(false);
  },
);
