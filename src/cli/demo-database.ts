import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../core/base/user-error.ts';
import { PROGRAM } from '../infra/process/program.ts';

const PREFIX = 'tipoff-demo-';

/** A new folder for the files of a demo. */
export function makeDemoFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX));
}

/** Where a demo has its database. */
export function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'tipoff.db')}`;
}

/** The database of the demo on this computer that was started last. */
export async function demoDatabase(): Promise<string> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  const folders = await Promise.all(
    names.map(async (name) => {
      const path = join(tmpdir(), name);
      return { path, changedAt: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  const [newest] = folders.toSorted((a, b) => b.changedAt - a.changedAt);
  if (newest === undefined)
    throw new UserError(`--demo: no demo runs. Start one in another terminal: ${PROGRAM} demo`);
  return databaseIn(newest.path);
}
