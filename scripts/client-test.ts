import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceOverArchive, startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { outputOf, runExamples } from './client-test/examples.ts';
import {
  type ClientPrograms,
  type Missing,
  pythonPrograms,
  typescriptPrograms,
} from './client-test/programs.ts';
import { smoke, smokeIn, smokeInBrowser } from './client-test/smoke.ts';
import { readOptions } from './command-line.ts';

const HELP = `Tests the clients as their users have them: packed in a copy of their folder, installed, on a running service.

- A program that reads every list, follows the stream through lost connections, and makes mistakes.
- The examples of both clients, the programs of their READMEs, the examples of /docs in Python, and the tests of clients/python; those of
  clients/typescript are part of npm test.

Usage: npm run client-test [-- --all]

  --all  Not only with this Node and python3, but under Node 20 and 22, Deno, Bun and Python 3.10 to 3.13, and in
         Chromium. 400 MB of runtimes come from npm; they are kept in the user's cache.

What cannot be had is skipped by name; packages of Python are waited for a minute.`;

const { all: isAll } = readOptions(HELP, { all: false });

const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-client-test-'));
try {
  await using _ = folder;
  const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'clients.db')}`);
  try {
    await allOf([testTypescript(service), testPython(service)]);
  } finally {
    await service.stop();
  }
} catch (error) {
  console.error(`clients: failed\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function testTypescript(service: ServiceOverArchive): Promise<void> {
  const where = join(folder.path, 'typescript');
  await mkdir(where);
  const [own, ...others] = await typescriptPrograms(where, isAll);
  await smokeOf(own, service);
  await passed(own.name, 'examples', () => runExamples(own, service));
  for (const one of others) await smokeOf(one, service);
  if (!isAll) return;
  const browser = await smokeInBrowser(own.folder);
  if ('missing' in browser) skipped(browser);
  else await passed(browser.name, 'smoke', () => smoke(browser.run, service));
}

async function testPython(service: ServiceOverArchive): Promise<void> {
  const where = join(folder.path, 'python');
  await mkdir(where);
  const programs = await pythonPrograms(where, isAll);
  const tests = programs.map(async (one) => {
    await smokeOf(one, service);
    if (isFound(one)) await passed(one.name, 'unit tests', () => unitTests(one));
  });
  await allOf(tests);
  const last = programs.filter(isFound).at(-1);
  if (last !== undefined) await passed(last.name, 'examples', () => runExamples(last, service));
}

/** Waits for each, also after a failure: what still runs needs the service. */
async function allOf(tests: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tests)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function isFound(one: ClientPrograms | Missing): one is ClientPrograms {
  return !('missing' in one);
}

async function smokeOf(one: ClientPrograms | Missing, service: ServiceOverArchive): Promise<void> {
  if (isFound(one)) await passed(one.name, 'smoke', async () => smoke(await smokeIn(one), service));
  else skipped(one);
}

async function passed(name: string, what: string, act: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await act();
  } catch (error) {
    throw new Error(`${name}, ${what}: ${error instanceof Error ? error.message : error}`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${name.padEnd(16)} ${what.padEnd(12)} passed  ${seconds.padStart(5)} s`);
}

function skipped({ name, missing }: Missing): void {
  console.log(`${name.padEnd(16)} skipped: ${missing}`);
}

async function unitTests({ start }: ClientPrograms): Promise<void> {
  const root = join(import.meta.dirname, '../clients/python');
  const where = ['--start-directory', join(root, 'tests'), '--top-level-directory', root];
  await outputOf(start('-m', ['unittest', 'discover', '--quiet', ...where], {}));
}
