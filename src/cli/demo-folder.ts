import { lstat, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../core/base/user-error.ts';
import { PROGRAM } from '../infra/process/program.ts';

const PREFIX = 'tipoff-demo-';
const ACCESS = 'access.json';

/** A new folder for the files of a demo, which only this user may read. */
export function makeDemoFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX));
}

/** Where a demo has its database. */
export function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'tipoff.db')}`;
}

/** What the chat needs of the demo on this computer that was started last: its database and, once it listens, its address. */
export async function demoSettings(): Promise<Readonly<Record<string, string>>> {
  const [newest] = await demoFolders();
  if (newest === undefined)
    throw new UserError(`--demo: no demo is running. Start one in another terminal: ${PROGRAM} demo`);
  const access = await accessIn(newest);
  return { DATABASE_URL: databaseIn(newest), ...(access !== null && { PUBLIC_URL: access.url }) };
}

const accessSchema = z.object({ url: z.string(), key: z.string() });
/** The API of a demo, and its Enterprise key. */
export type DemoAccess = z.infer<typeof accessSchema>;

/** Lets other commands call the demo of this folder. */
export async function publishAccess(folder: string, access: DemoAccess): Promise<void> {
  await writeFile(join(folder, ACCESS), JSON.stringify(access), { mode: 0o600 });
}

/** The access to the demo that was started last; null without one. */
export async function demoAccess(): Promise<DemoAccess | null> {
  for (const folder of await demoFolders()) {
    const access = await accessIn(folder);
    if (access !== null) return access;
  }
  return null;
}

async function accessIn(folder: string): Promise<DemoAccess | null> {
  const text = await readFile(join(folder, ACCESS), 'utf8').catch(() => null);
  return text === null ? null : accessSchema.parse(JSON.parse(text));
}

/** Newest first. That of a demo that was killed remains; one that another user put there is no demo of ours. */
async function demoFolders(): Promise<readonly string[]> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  const folders = await Promise.all(
    names.map(async (name) => {
      const path = join(tmpdir(), name);
      const found = await lstat(path).catch(() => null);
      if (found === null || found.uid !== (process.getuid?.() ?? found.uid)) return [];
      return [{ path, changedAt: found.mtimeMs }];
    }),
  );
  return folders
    .flat()
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .map(({ path }) => path);
}
