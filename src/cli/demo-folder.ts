import { lstat, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DatabaseUnavailable } from '../core/base/database-errors.ts';
import { UserError } from '../core/base/user-error.ts';
import { isOwnerGone, processOwner } from '../infra/process/process-owner.ts';

const PREFIX = 'tipoff-demo-';
const ACCESS = 'access.json';

/** A new folder for the files of a demo, which only this user may read. */
export async function makeDemoFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX)).catch((error: unknown) => {
    throw temporaryFailure(error);
  });
}

const FULL = 'is on a full disk';
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'is on a read-only file system',
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** Why the folder for temporary files cannot be used, and what to do; other errors as they are. */
export function temporaryFailure(error: unknown): unknown {
  const { code, message = '' } = Object(error) as Partial<NodeJS.ErrnoException>;
  const problem = /\bdisk is full\b/.test(message) ? FULL : PROBLEMS[code ?? ''];
  const remedy = problem === FULL ? 'Free space on it, or set' : 'Set';
  if (problem !== undefined)
    return new DatabaseUnavailable(
      `The folder for temporary files, ${tmpdir()}, ${problem}. ${remedy} TMPDIR to another folder.`,
    );
  if (!(error instanceof DatabaseUnavailable || error instanceof UserError)) return error;
  return new DatabaseUnavailable(message.replace(/^DATABASE_URL: /, 'The demo’s database '));
}

/** Where a demo has its database. */
export function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'tipoff.db')}`;
}

const accessSchema = z.object({ url: z.string(), key: z.string(), owner: z.string() });

/** The API of a demo, and its Enterprise key. */
export type DemoAccess = Pick<z.infer<typeof accessSchema>, 'url' | 'key'>;

/** Lets other commands of this user find the demo of this folder while this process runs. */
export async function publishAccess(
  folder: string,
  access: DemoAccess,
  owner = processOwner(),
): Promise<void> {
  await writeFile(join(folder, ACCESS), JSON.stringify({ ...access, owner }), { mode: 0o600 });
}

interface FoundDemo extends DemoAccess {
  readonly databaseUrl: string;
}

/** The demo of this user that was started last and still runs; null when there is none. */
export async function findDemo(): Promise<FoundDemo | null> {
  const names = await readdir(tmpdir()).catch((error: unknown) => {
    throw temporaryFailure(error);
  });
  const found = names.filter((name) => name.startsWith(PREFIX)).map((name) => demoIn(join(tmpdir(), name)));
  const demos = (await Promise.all(found)).filter((demo) => demo !== null);
  // Folders of demos that were killed remain.
  const running = demos.filter(({ owner }) => !isOwnerGone(owner));
  return running.toSorted((a, b) => b.startedAt - a.startedAt)[0] ?? null;
}

/** Null for a folder that another user made, and for a demo that does not listen yet. */
async function demoIn(folder: string) {
  const file = join(folder, ACCESS);
  // A demo that ends meanwhile removes them.
  const [found, written] = await Promise.all([folder, file].map((path) => lstat(path).catch(() => null)));
  if (!found || found.uid !== (process.getuid?.() ?? found.uid)) return null;
  const text = written ? await readFile(file, 'utf8').catch(() => '') : '';
  if (text === '') return null;
  return {
    ...accessSchema.parse(JSON.parse(text)),
    databaseUrl: databaseIn(folder),
    startedAt: written?.mtimeMs ?? 0,
  };
}
