import { execFileSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findDemo, makeDemoFolder, publishAccess } from '../../src/cli/demo-folder.ts';
import { processOwner } from '../../src/infra/process/process-owner.ts';
import { runTipoff } from '../support/run-tipoff.ts';

const OTHER_USER = 12_345;
const ACCESS = { url: 'http://127.0.0.1:8080', key: 'sk_live_x' };
const OTHER = { url: 'http://127.0.0.1:8081', key: 'sk_live_y' };
/** Processes that are not this one: of the parent, which runs, and of one that ended. */
const ownerOf = (pid: number) => processOwner().replace(/\/\d+\//, `/${pid}/`);
const RUNNING = ownerOf(process.ppid);
const KILLED = ownerOf(4_194_303);

async function ownTemporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

test('the demo that was started last is taken', async () => {
  await ownTemporary();
  expect(await findDemo()).toBeNull();
  const first = await makeDemoFolder();
  await publishAccess(first, ACCESS, RUNNING);
  expect(await findDemo()).toMatchObject(ACCESS);
  // Two files that are written within a few milliseconds may have the same time.
  await utimes(join(first, 'access.json'), 1, 1);
  await publishAccess(await makeDemoFolder(), OTHER, RUNNING);
  expect(await findDemo()).toMatchObject(OTHER);
});

test('a demo that was killed, and one that does not listen yet, hide no running one', async () => {
  await ownTemporary();
  await publishAccess(await makeDemoFolder(), ACCESS, RUNNING);
  await publishAccess(await makeDemoFolder(), OTHER, KILLED);
  await makeDemoFolder();
  expect(await findDemo()).toMatchObject(ACCESS);
});

// Only root can give a folder away.
test.skipIf(process.getuid?.() !== 0)('a folder that another user made is not that of a demo', async () => {
  await ownTemporary();
  const folder = await makeDemoFolder();
  await publishAccess(folder, ACCESS, RUNNING);
  await chown(folder, OTHER_USER, OTHER_USER);
  expect(await findDemo()).toBeNull();
});

describe('a folder for temporary files that cannot be used', () => {
  const run = (command: readonly string[], folder: string) =>
    runTipoff(command, { ...process.env, TMPDIR: folder, TIPOFF_API_KEY: undefined, PORT: '0' });

  test.for<readonly [string, readonly string[]]>([
    ['the demo', ['demo', '--port', '0']],
    ['listen', ['listen']],
    ['chat', ['chat', '--demo']],
  ])('is said in one sentence by %s where it is missing or a file', async ([, command]) => {
    const parent = await ownTemporary();
    const file = join(parent, 'file');
    await writeFile(file, '');
    const missing = join(parent, 'gone');
    expect(await run(command, missing)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        new RegExp(
          `^The folder for temporary files, ${missing}, does not exist. Set TMPDIR to another folder.\n$`,
        ),
      ),
    });
    expect(await run(command, file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The folder [^\n]+ is not a folder\. Set TMPDIR to another folder\.\n$/),
    });
  });

  /** A file system of its own of this size, where this user may make one. */
  async function mounted(...options: readonly string[]): Promise<string | null> {
    const folder = join(await ownTemporary(), 'mount');
    await mkdir(folder);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      return null;
    }
    onTestFinished(() => void execFileSync('umount', ['-l', folder]));
    return folder;
  }

  test.for([
    [['size=600k'], 'is on a full disk. Free space on it, or set'],
    [['size=2m', 'ro'], 'is on a read-only file system. Set'],
  ] as const)('ends the demo with one sentence: %j', async ([options, words], { skip }) => {
    const folder = (await mounted(...options)) ?? skip('only root can mount');
    const { code, err } = await run(['demo', '--port', '0'], folder);
    expect({ code, err }).toEqual({
      code: 1,
      err: `The folder for temporary files, ${folder}, ${words} TMPDIR to another folder.\n`,
    });
  });
});
