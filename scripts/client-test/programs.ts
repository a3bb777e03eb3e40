import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const TYPESCRIPT = join(ROOT, 'clients/typescript');
const PYTHON = join(ROOT, 'clients/python');
/** Without an answer by then PyPI is unavailable. */
const INSTALL_MS = 120_000;

const run = promisify(execFile);

/** Runs programs that use a client as a user has it installed. */
export interface ClientPrograms {
  readonly name: string;
  readonly extension: 'mjs' | 'py';
  /** Where programs are copied to: they find the client from there. */
  readonly folder: string;
  /** A program with its arguments, in the folder. */
  start(
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcessByStdio<null, Readable, Readable>;
}

/** The TypeScript client, compiled and installed below the folder. */
export async function installTypescript(folder: string): Promise<ClientPrograms> {
  const installed = join(folder, 'node_modules/tipoff-client');
  await mkdir(installed, { recursive: true });
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  await run(compiler, ['-p', TYPESCRIPT, '--outDir', join(installed, 'dist')]);
  await cp(join(TYPESCRIPT, 'package.json'), join(installed, 'package.json'));
  return {
    name: 'TypeScript',
    extension: 'mjs',
    folder,
    start: (file, args, env) => startProgram(process.execPath, [file, ...args], { cwd: folder, env }),
  };
}

/** The Python client with its requirements, below the folder; or why that is not possible. */
export async function installPython(folder: string): Promise<ClientPrograms | string> {
  const packages = join(folder, 'packages');
  const pip = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries=0'];
  const requirements = ['--require-hashes', '--requirement', join(PYTHON, 'requirements.txt')];
  const install = ['install', '--only-binary=:all:', '--target', packages, ...requirements];
  try {
    await run('python3', [...pip, ...install], { timeout: INSTALL_MS });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return 'python3 was not found';
    return stderr.trim().split('\n').at(-1) || 'pip timed out';
  }
  const PYTHONPATH = [packages, join(PYTHON, 'src')].join(delimiter);
  const settings = { PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
  return {
    name: 'Python',
    extension: 'py',
    folder,
    start: (file, args, env) =>
      startProgram('python3', [file, ...args], { cwd: folder, env: { ...settings, ...env } }),
  };
}

/** Without the settings of the user who runs this. */
function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcessByStdio<null, Readable, Readable> {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}
