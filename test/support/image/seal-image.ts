import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Image } from './build-image.ts';

const run = promisify(execFile);
const NODE_ID = 1_000;

/**
 * Makes the folder of an image what a read-only container is to the image's user: nothing can be written but its data. Returns
 * the user to spawn its processes with; where the tests do not run as root, that is the user of the tests.
 */
export async function sealImage(folder: string, { workdir }: Image): Promise<{ uid?: number; gid?: number }> {
  await run('chmod', ['-R', 'a+rX,a-w', folder]);
  const data = join(workdir, 'data');
  await chmod(data, 0o700);
  if (process.getuid?.() !== 0) return {};
  await chown(data, NODE_ID, NODE_ID);
  return { uid: NODE_ID, gid: NODE_ID };
}

/** So that the folder can be removed. */
export async function unsealImage(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+w', folder]);
}
