import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { startService } from '../support/service-process.ts';
import { issueKey } from './delivery-service-fixture.ts';

async function startOnFile() {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-unusable-'));
  const file = join(folder, 'data', 'tipoff.db');
  const database = await openDatabase(`sqlite:${file}`);
  const { secret } = await issueKey(database);
  await database.close();
  const service = startService({ DATABASE_URL: `sqlite:${file}` });
  onTestFinished(async () => {
    await service.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const address = String((await service.logged('listening'))['address']);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'mine', filters: { side: 'BUY' } });
  return {
    folder,
    file,
    service,
    get: (path: string) => fetch(`${address}${path}`, { headers }),
    postPreset: () => fetch(`${address}/api/v1/presets`, { method: 'POST', headers, body }),
  };
}

test.skipIf(process.platform === 'win32')(
  'an SQLite file that is moved away makes the service not ready and refuses writes and keys; moved back it is used again',
  async () => {
    const { folder, file, service, get, postPreset } = await startOnFile();
    await rename(dirname(file), join(folder, 'elsewhere'));

    const line = await service.logged('database file lost; nothing is written');
    expect(line).toMatchObject({
      level: 'error',
      file,
      reason: expect.stringContaining('Put back the same file'),
    });
    const ready = await get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      checks: { database: { ready: false, details: { reason: line['reason'] } } },
    });
    const refused = await postPreset();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await get('/healthz')).status).toBe(200);
    const env = { ...process.env, DATABASE_URL: `sqlite:${file}` };
    const issued = await runTipoff(['keys', 'issue', '--tier', 'free', '--name', 'x'], env);
    expect(issued).toMatchObject({
      code: 2,
      err: expect.stringContaining(`there is no database at ${file}`),
    });
    expect(await readdir(folder)).toEqual(['elsewhere']);

    await rename(join(folder, 'elsewhere'), dirname(file));

    await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), 10_000);
    expect((await postPreset()).status).toBe(200);
  },
);

test('a database that cannot be used at start and may be later is waited for with its reason in the log, and SIGTERM ends the wait with 0', async () => {
  const service = startService({ DATABASE_URL: 'mongodb://me:secret@127.0.0.1:1/tipoff' });
  onTestFinished(async () => void (await service.end('SIGKILL')));

  const line = await service.logged('database unavailable; waiting for it for up to 60 s');
  expect(line['reason']).toMatch(
    /^DATABASE_URL: MongoDB at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\)\. Start it/,
  );
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('secret');
});
