import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { nearestName } from '../../src/core/base/text/nearest-name.ts';
import { openDatabase } from '../../src/infra/database/database.ts';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = Object.keys(COMMANDS);

/** npx links the package into its cache; nothing here may need the network. */
const OFFLINE = { npm_config_offline: 'true', npm_config_loglevel: 'error' };
/** Without the Node that the package brings: the one of the user may be older. */
const BARE_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((part) => !part.includes('node_modules') && !part.includes('node-gyp-bin'))
  .join(delimiter);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-bin-'));
  await (await openDatabase(`sqlite:${join(folder, 'tipoff.db')}`)).close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(program: string, ...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: `sqlite:${join(folder, 'tipoff.db')}`,
    ...OFFLINE,
    npm_config_cache: join(folder, 'npm'),
  };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(program, args, { cwd: ROOT, env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

const tipoff = (...args: string[]) => run(process.execPath, 'bin/tipoff.js', ...args);

describe('tipoff', () => {
  test('--help names every command, --version the version', async () => {
    const [help, version] = await Promise.all([tipoff('--help'), tipoff('--version')]);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const [name, { description }] of Object.entries(COMMANDS))
      expect(help.out).toMatch(new RegExp(`^  ${name} +${description}$`, 'm'));
    expect(version).toEqual({ code: 0, out: '1.0.0\n', err: '' });
  });

  test('a command prints its help wherever --help or -h stands, and does nothing else', async () => {
    const [long, short] = await Promise.all([
      tipoff('keys', 'issue', '--tier', 'pro', '--help'),
      tipoff('capture', '--bogus', 'x.jsonl', '-h'),
    ]);
    expect(long).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: .* keys COMMAND$/m), err: '' });
    expect(short).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: .* capture OUT/m), err: '' });
  });

  test('an unknown command is a usage error that names the nearest one and all of them', async () => {
    const [near, far, none] = await Promise.all([tipoff('strat'), tipoff('constructor'), tipoff()]);
    const known = `Commands: ${NAMES.join(', ')}.\n`;
    expect(near).toEqual({ code: 2, out: '', err: `strat: no such command. Did you mean start? ${known}` });
    expect(far).toEqual({ code: 2, out: '', err: `constructor: no such command. ${known}` });
    expect(none).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Name a command.') });
  });

  test('a command gets its own arguments, prints only its own output, and gives its exit code', async () => {
    const [refused, misspelt] = await Promise.all([
      tipoff('admin', 'revoke', 'key_x'),
      tipoff('backtest', '--fast', 'x.jsonl'),
    ]);
    expect(refused).toMatchObject({
      code: 1,
      err: '',
      out: expect.stringContaining('No key matches “key_x”'),
    });
    expect(misspelt).toMatchObject({ code: 2, err: expect.stringMatching(/'--fast'.*--help lists/s) });
  });

  test('npx --no finds it in a checkout as well, with the Node that the package brings, and without the network', async () => {
    const issued = await run(
      'npx',
      '--no',
      'tipoff',
      'keys',
      'issue',
      '--tier',
      'free',
      '--name',
      'npx',
      '--json',
    );
    expect(issued).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(issued.out)).toMatchObject({ name: 'npx' });
  });

  test.each([
    ['npm start', process.env['PATH']],
    ['node bin/tipoff.js start', BARE_PATH],
  ])('SIGTERM to “%s” ends the service, and frees its port', async (line, PATH) => {
    const [program = '', ...args] = line.split(' ');
    const own = { DATABASE_URL: 'sqlite::memory:', MARKET_SOURCE: 'none', PORT: '0' };
    const npm = { ...OFFLINE, npm_config_cache: join(folder, 'npm'), npm_command: undefined };
    const env = { ...process.env, ...npm, ...own, PATH };
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    let address = '';
    for await (const text of createInterface({ input: child.stdout })) {
      address = /"address":"([^"]+)"/.exec(text)?.[1] ?? '';
      if (address !== '') break;
    }
    child.stdout.resume();
    expect((await fetch(`${address}/healthz`)).status).toBe(200);

    child.kill('SIGTERM');
    await ended;
    const isUsed = () =>
      fetch(`${address}/healthz`).then(
        () => true,
        () => false,
      );
    // 10 s are promised (docs/operation.md).
    await expect.poll(isUsed, { timeout: 12_000 }).toBe(false);
  });

  test('start takes no argument', async () => {
    expect(await tipoff('start', 'now')).toMatchObject({ code: 2, err: expect.stringContaining("'now'") });
  });
});

describe('nearestName', () => {
  test.each([
    ['key', 'keys'],
    ['kyes', 'keys'],
    ['verfy', 'verify'],
    ['Chat', 'chat'],
    ['captuer', 'capture'],
    ['x', null],
    ['', null],
    ['webhooks', null],
  ])('%j is taken for %j', (given, expected) => {
    expect(nearestName(given, NAMES)).toBe(expected);
  });
});
