import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** No Docker engine is needed for these: what the Dockerfile says is checked and its commands are run. */
describe('image', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tipoff-image-'));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    await promisify(execFile)(tsc, ['-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')], {
      cwd: ROOT,
    });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await symlink(join(ROOT, 'package.json'), join(folder, 'package.json'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('every path copied from the tree exists and is let through by .dockerignore', () => {
    const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      (paths as string).split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(copied.filter((path) => !allowed.includes(`!${path}`))).toEqual([]);
  });

  test('runs as a user without rights, with a health check', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  test('the build makes the file its command starts, which serves and passes the health check', async () => {
    const command = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    const check = JSON.parse(/^ {2}CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    expect(command[0]).toBe('node');
    const env = { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}` };
    const service = spawn(process.execPath, command.slice(1), {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let port = '';
      for await (const line of createInterface({ input: service.stdout })) {
        const { msg, address } = JSON.parse(line) as { msg: string; address?: string };
        if (msg !== 'listening') continue;
        port = new URL(address ?? '').port;
        break;
      }
      const healthCheck = spawn(process.execPath, check.slice(1), { env: { ...process.env, PORT: port } });
      expect((await once(healthCheck, 'close'))[0]).toBe(0);
    } finally {
      service.kill('SIGTERM');
      await once(service, 'close');
    }
  });
});
