import { cp, mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { readOptions } from './command-line.ts';
import { accepted } from './support/tools.ts';

const HELP = `Tests the clients as their users have them: packed, installed in an empty folder, on a running service.

In each language, the client's own tests and a program that reads every list, follows the stream and makes mistakes.
The packages of Python come from its index.

Usage: npm run client-test`;

readOptions(HELP, {});

const ROOT = join(import.meta.dirname, '..');
const CLIENTS = join(ROOT, 'clients');
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-warn-script-location'];
const BUILD = ['build==1.6.1', 'hatchling==1.33.0'];

await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-client-test-'));
const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'clients.db')}`);
try {
  await testTypescript(join(folder.path, 'typescript'));
  await testPython(join(folder.path, 'python'));
} finally {
  await service.stop();
}

async function testTypescript(where: string): Promise<void> {
  const copy = await copyOf('typescript', where);
  // Its compiler is that of the repository.
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await accepted('npm', ['pack'], { cwd: copy, env: { npm_config_ignore_scripts: 'false' } });
  await writeFile(join(where, 'package.json'), '{"private":true}');
  await accepted('npm', ['install', '--offline', await fileIn(copy, '.tgz')], { cwd: where });
  const program = join(where, 'smoke.mjs');
  await cp(join(import.meta.dirname, 'client-test/smoke.mjs'), program);
  await smoke('TypeScript', process.execPath, [program], {});
}

async function testPython(where: string): Promise<void> {
  const copy = await copyOf('python', where);
  const packages = join(where, 'packages');
  await accepted('python3', [...PIP, '--target', packages, ...BUILD]);
  const env = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  await accepted('python3', ['-m', 'build', '--wheel', '--no-isolation'], { cwd: copy, env });
  const requirements = ['--require-hashes', '--requirement', join(copy, 'requirements.txt')];
  await accepted('python3', [...PIP, '--target', packages, ...requirements]);
  // The requirements are there already, by their hashes.
  const wheel = await fileIn(join(copy, 'dist'), '.whl');
  await accepted('python3', [...PIP, '--target', packages, '--no-deps', '--no-index', wheel]);
  const root = join(CLIENTS, 'python');
  const tests = ['--start-directory', join(root, 'tests'), '--top-level-directory', root];
  await accepted('python3', ['-m', 'unittest', 'discover', '--quiet', ...tests], { env });
  await smoke('Python', 'python3', [join(import.meta.dirname, 'client-test/smoke.py')], env);
}

async function copyOf(client: string, where: string): Promise<string> {
  const isOurs = (path: string) =>
    !/\/(?:dist|node_modules|__pycache__)(?:\/|$)/.test(path.slice(CLIENTS.length));
  await mkdir(where);
  const copy = join(where, 'copy');
  await cp(join(CLIENTS, client), copy, { recursive: true, filter: isOurs });
  return copy;
}

async function fileIn(where: string, extension: string): Promise<string> {
  const name = (await readdir(where)).find((file) => file.endsWith(extension));
  if (name === undefined) throw new Error(`${where} has no ${extension}`);
  return join(where, name);
}

async function smoke(
  language: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const given = { url: service.address, apiKey: service.keys.enterprise, delivery: signed() };
  const { stdout } = await accepted(command, [...args, JSON.stringify(given)], { env });
  const found = JSON.parse(stdout);
  const ids = Array.from({ length: 130 }, (_, index) => index + 1);
  const expected = {
    alerts: ids.toReversed(),
    followed: ids,
    refused: 'alert_not_found',
    verified: 'msg_1',
    isForgeryRefused: true,
  };
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`The client in ${language} found ${stdout}, not ${JSON.stringify(expected)}`);
  console.log(`The client in ${language} passed.`);
}

function signed() {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const [id, at, body] = ['msg_1', new Date(), '{"id":7,"event_title":"Will it pass?"}'];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { secret, headers, body };
}
