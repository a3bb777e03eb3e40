import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Counts } from './counts.ts';

const run = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const CONFIG = join(import.meta.dirname, 'schemathesis.toml');
const HOOKS = join(import.meta.dirname, 'hooks.py');
const INSTALL_MS = 300_000;

/** One run of schemathesis. */
export interface Run {
  readonly address: string;
  /** File of the OpenAPI document. */
  readonly document: string;
  readonly key: string;
  readonly seed: number;
  /** Generated cases of each operation and phase. */
  readonly maxExamples: number;
  /** Folder for the files of the run. */
  readonly folder: string;
}

/** The folder of a Python environment with the pinned schemathesis, made once in the user's cache. */
export async function prepareSchemathesis(): Promise<string> {
  const [, version] = /^schemathesis==(\S+)$/m.exec(await readFile(REQUIREMENTS, 'utf8')) ?? [];
  const { XDG_CACHE_HOME } = process.env;
  const folder = join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'tipoff', `schemathesis-${version}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS });
  // Wheels only: no build step of a package runs.
  const install = [
    '-m',
    'pip',
    '--quiet',
    '--no-input',
    'install',
    '--only-binary=:all:',
    '-r',
    REQUIREMENTS,
  ];
  await run(join(folder, 'bin/python'), install, { timeout: INSTALL_MS });
  await writeFile(complete, '');
  return folder;
}

/** Runs schemathesis: its output, and what it counted. */
export async function runSchemathesis(
  environment: string,
  { address, document, key, seed, maxExamples, folder }: Run,
): Promise<{ readonly output: string; readonly counts: Counts }> {
  const file = join(folder, 'counts.json');
  await rm(file, { force: true });
  const args = [
    ...['--config-file', CONFIG, 'run', document, '--url', address],
    ...['--checks', 'all', '--mode', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', String(maxExamples), '--seed', String(seed)],
    ...['--generation-database', 'none', '--continue-on-failure', '--no-color'],
  ];
  const child = spawn(join(environment, 'bin/schemathesis'), args, {
    cwd: folder,
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: HOOKS,
      PYTHONDONTWRITEBYTECODE: '1',
      API_CHECK_KEY: key,
      API_CHECK_COUNTS: file,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (!existsSync(file)) throw new Error(`schemathesis ended early:\n${output}`);
  return { output, counts: JSON.parse(await readFile(file, 'utf8')) as Counts };
}
