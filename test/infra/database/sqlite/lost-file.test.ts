import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage } from '../../../../src/infra/database/outage.ts';
import { asTheService, createRecordingLogger } from '../../../support/recording-logger.ts';

test.skipIf(process.platform === 'win32')(
  'a ping of an SQLite file that is lost while it is open is an outage, with one log line that has the path and the remedy',
  async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = await mkdtemp(join(tmpdir(), 'tipoff-lost-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'data', 'tipoff.db');
    const { lines, ...logger } = createRecordingLogger();
    const database = await openDatabase(`sqlite:${file}`, { logger: asTheService(logger) });
    onTestFinished(database.close);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await rm(name);
    vi.advanceTimersByTime(1_000);

    const error = await database.ping().catch((reason: unknown) => reason);

    expect(String(error)).toContain(`DATABASE_URL: ${file} was deleted or moved while it was open`);
    expect(isOutage(error)).toBe(true);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      {
        message: 'database file lost; nothing is written',
        fields: { file, reason: expect.stringContaining('Put back the same file') },
      },
    ]);
    expect(existsSync(file)).toBe(false);
  },
);
