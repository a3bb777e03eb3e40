import assert from 'node:assert/strict';
import { cp, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { readOptions } from './command-line.ts';
import { accepted } from './support/tools.ts';

const HELP = `Tests the clients as their users have them: packed, installed in an empty folder, on a running service.

In each language, a program that reads a list, follows the stream and makes a mistake; for Python its own tests, too.
The packages of Python come from its index.

Usage: npm run client-test`;

readOptions(HELP, {});

const ROOT = join(import.meta.dirname, '..');
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-warn-script-location'];

await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-client-test-'));
const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'clients.db')}`);
try {
  await testTypescript();
  await testPython();
} finally {
  await service.stop();
}

async function testTypescript(): Promise<void> {
  const source = join(ROOT, 'clients/typescript');
  const copy = join(folder.path, 'typescript');
  const filter = (path: string) => !['dist', 'node_modules'].includes(basename(path));
  await cp(source, copy, { recursive: true, filter });
  // Its compiler is that of the repository.
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await accepted('npm', ['pack'], { cwd: copy, env: { npm_config_ignore_scripts: 'false' } });
  const archive = (await readdir(copy)).find((file) => file.endsWith('.tgz')) ?? 'no archive';
  await writeFile(join(folder.path, 'package.json'), '{"private":true}');
  await accepted('npm', ['install', '--offline', join(copy, archive)], { cwd: folder.path });
  const program = join(folder.path, 'smoke.mjs');
  await cp(join(import.meta.dirname, 'client-test/smoke.mjs'), program);
  await smoke('TypeScript', process.execPath, program, {});
}

async function testPython(): Promise<void> {
  const source = join(ROOT, 'clients/python');
  const packages = join(folder.path, 'packages');
  const env = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  const requirements = ['--require-hashes', '--requirement', join(source, 'requirements.txt')];
  await accepted('python3', [...PIP, '--target', packages, ...requirements]);
  await accepted('python3', [...PIP, '--target', packages, '--no-deps', source]);
  const tests = ['--start-directory', join(source, 'tests'), '--top-level-directory', source];
  await accepted('python3', ['-m', 'unittest', 'discover', '--quiet', ...tests], { env });
  await smoke('Python', 'python3', join(import.meta.dirname, 'client-test/smoke.py'), env);
}

async function smoke(
  language: string,
  command: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { stdout } = await accepted(command, [program, service.address, service.keys.enterprise], { env });
  const ids = Array.from({ length: 130 }, (_, index) => index + 1);
  const expected = { alerts: ids.toReversed(), followed: ids, refused: 'alert_not_found' };
  assert.deepEqual(JSON.parse(stdout), expected, `the client in ${language} found ${stdout}`);
  console.log(`The client in ${language} passed.`);
}
