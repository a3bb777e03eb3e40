import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runTipoff } from '../support/run-tipoff.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { issueKey } from './hung-scene.ts';

let folder: string;
let file: string;
const started: ServiceProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-unusable-'));
  file = join(folder, 'data', 'tipoff.db');
});
afterAll(async () => {
  await Promise.all(started.map((service) => service.end('SIGKILL')));
  await rm(folder, { recursive: true, force: true });
});

function start(databaseUrl: string): ServiceProcess {
  const service = startService({ DATABASE_URL: databaseUrl });
  started.push(service);
  return service;
}

async function startOnFile() {
  const url = `sqlite:${file}`;
  const key = await issueKey(url);
  const service = start(url);
  const address = String((await service.logged('listening'))['address']);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'mine', filters: { side: 'BUY' } });
  return {
    service,
    get: (path: string) => fetch(`${address}${path}`, { headers }),
    postPreset: () => fetch(`${address}/api/v1/presets`, { method: 'POST', headers, body }),
  };
}

const issueByCommand = () =>
  runTipoff(['keys', 'issue', '--tier', 'free', '--name', 'x'], {
    ...process.env,
    DATABASE_URL: `sqlite:${file}`,
  });

describe('an SQLite file under a running service', () => {
  let scene: Awaited<ReturnType<typeof startOnFile>>;
  beforeAll(async () => {
    scene = await startOnFile();
  });

  test.skipIf(process.platform === 'win32')(
    'that is moved away makes it not ready and refuses writes and keys; moved back it is used again',
    async () => {
      const { service, get, postPreset } = scene;
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
      const issued = await issueByCommand();
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

  test('that another process locks blocks no read, and a write waits for the lock', async () => {
    const { get, postPreset } = scene;
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('BEGIN EXCLUSIVE');

    const created = postPreset();
    for (const path of ['/healthz', '/api/v1/alerts/latest'])
      expect((await get(path)).status, path).toBe(200);
    other.exec('COMMIT');

    expect((await created).status).toBe(200);
  });
});

describe('a database that cannot be used at start', () => {
  test('is named in one line with the remedy, and what must be changed first ends with 2', async () => {
    const service = start(`sqlite:${folder}`);

    expect(await service.ended()).toBe(2);
    expect(service.output()).toBe(
      `DATABASE_URL: ${folder} is a folder. Name a file, for example ${join(folder, 'tipoff.db')}.`,
    );
  });

  test('and may be later is waited for with its reason in the log, and SIGTERM ends the wait with 0', async () => {
    const service = start('mongodb://me:secret@127.0.0.1:1/tipoff');

    const line = await service.logged('database unavailable; waiting for it for up to 60 s');
    expect(line['reason']).toMatch(
      /^DATABASE_URL: MongoDB at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\)\. Start it/,
    );
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output()).not.toContain('secret');
  });
});
