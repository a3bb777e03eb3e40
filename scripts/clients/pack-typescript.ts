import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');

const run = promisify(execFile);

export async function packTypescript(folder: string): Promise<string> {
  await rm(join(CLIENT, 'dist'), { recursive: true, force: true });
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', CLIENT]);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: CLIENT });
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, packed.filename);
}
