import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/base/user-error.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';

/** Opens the database as the user `uid`, with the umask most systems have, and prints the modes of what is there. */
const SCRIPT = `
  import { readdirSync, statSync } from 'node:fs';
  import { dirname, join } from 'node:path';
  import { openDatabase } from './src/infra/database/database.ts';
  const [file, uid] = process.argv.slice(1);
  process.umask(0o022);
  if (uid !== undefined) process.setuid(Number(uid));
  const logged = [];
  const log = (fields, message) => logged.push({ ...fields, message });
  const database = await openDatabase('sqlite:' + file, { logger: { debug: log, info: log, warn: log, error: log } });
  await database.secrets.getOrCreate('webhooks', 'x'.repeat(32));
  const names = ['.', ...readdirSync(dirname(file))];
  const modeOf = (name) => (statSync(join(dirname(file), name)).mode & 0o777).toString(8);
  console.log(JSON.stringify({ modes: Object.fromEntries(names.map((name) => [name, modeOf(name)])), logged }));
  await database.close();`;

interface Opened {
  readonly modes: Readonly<Record<string, string>>;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

async function openInProcess(file: string, ...uid: readonly string[]): Promise<Opened> {
  const args = ['--input-type=module', '--eval', SCRIPT, file, ...uid];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: join(import.meta.dirname, '../../..'),
  });
  return JSON.parse(stdout) as Opened;
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('files of an SQLite database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tipoff-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('a new database and the folders made for it are open to this user alone, its log and index too', async () => {
    const { modes, logged } = await openInProcess(join(folder, 'made', 'data', 'tipoff.db'));

    expect(modes).toEqual({ '.': '700', 'tipoff.db': '600', 'tipoff.db-shm': '600', 'tipoff.db-wal': '600' });
    expect(await modeOf(join(folder, 'made'))).toBe('700');
    expect(logged).toEqual([]);
  });

  test('a database that other users could read is closed to them, which is logged once', async () => {
    const file = join(folder, 'tipoff.db');
    const earlier = await openDatabase(`sqlite:${file}`);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) await chmod(name, 0o644);

    const { modes, logged } = await openInProcess(file);
    await earlier.close();

    expect(modes).toMatchObject({ 'tipoff.db': '600', 'tipoff.db-shm': '600', 'tipoff.db-wal': '600' });
    expect(logged).toEqual([
      { file, mode: '644', message: 'other users could read the database file; its mode is 600 now' },
    ]);
    expect((await openInProcess(file)).logged).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('one of another user is left alone, with a warning', async () => {
    const file = join(folder, 'tipoff.db');
    await writeFile(file, '', { mode: 0o666 });
    for (const path of [folder, file]) await chmod(path, 0o777);
    await chown(folder, 65_534, 65_534);

    const { modes, logged } = await openInProcess(file, '65534');

    expect(modes).toMatchObject({ 'tipoff.db': '777' });
    expect(logged).toEqual([
      {
        file,
        mode: '777',
        message: 'other users can read the database file; its owner should chmod it to 600',
      },
    ]);
  });

  test.skipIf(process.platform !== 'linux')('opened twice in a process, the file stays locked', async () => {
    const file = join(folder, 'tipoff.db');
    const first = await openDatabase(`sqlite:${file}`);
    const { ino } = await stat(file);
    const locks = async () =>
      (await readFile('/proc/locks', 'utf8'))
        .split('\n')
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
    expect(await locks()).toBe(1);

    const second = await openDatabase(`sqlite:${file}`);

    expect(await locks()).toBe(1);
    await second.close();
    await first.close();
  });

  test.each(['file:FOLDER/a.db', '//file:FOLDER/a.db', 'FOLDER/new/'])(
    'sqlite:%s names no file',
    async (path) => {
      const opening = openDatabase(`sqlite:${path.replace('FOLDER', folder)}`);

      await expect(opening).rejects.toThrow(UserError);
      await expect(opening).rejects.toThrow('DATABASE_URL: expected sqlite:FILE');
      expect(await readdir(folder)).toEqual([]);
    },
  );
});
