import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { packTypescript } from '../clients/pack-typescript.ts';

const PYTHON = join(import.meta.dirname, '../../clients/python');
/** Without an answer by then PyPI is unavailable. */
const INSTALL_MS = 120_000;

const run = promisify(execFile);

export interface ClientPrograms {
  readonly name: string;
  readonly extension: 'mjs' | 'py';
  readonly folder: string;
  start(
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcessByStdio<null, Readable, Readable>;
}

export async function installTypescript(folder: string): Promise<ClientPrograms> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', await packTypescript(folder)], { cwd: folder });
  return {
    name: 'TypeScript',
    extension: 'mjs',
    folder,
    start: (file, args, env) => startProgram(process.execPath, [file, ...args], { cwd: folder, env }),
  };
}

export async function installPython(folder: string): Promise<ClientPrograms | string> {
  const packages = join(folder, 'packages');
  const pip = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries=0'];
  const requirements = ['--require-hashes', '--requirement', join(PYTHON, 'requirements.txt')];
  const install = ['install', '--only-binary=:all:', '--target', packages, ...requirements];
  // As its README says. The requirements are there already, by their hashes.
  const client = ['install', '--no-deps', '--target', packages, PYTHON];
  try {
    for (const step of [install, client]) await run('python3', [...pip, ...step], { timeout: INSTALL_MS });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return 'python3 was not found';
    return stderr.trim().split('\n').at(-1) || 'pip timed out';
  }
  const settings = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  return {
    name: 'Python',
    extension: 'py',
    folder,
    start: (file, args, env) =>
      startProgram('python3', [file, ...args], { cwd: folder, env: { ...settings, ...env } }),
  };
}

function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcessByStdio<null, Readable, Readable> {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}
