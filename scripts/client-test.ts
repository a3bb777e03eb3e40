import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceOverArchive, startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { outputOf, runExamples, signed } from './client-test/examples.ts';
import {
  type ClientPrograms,
  type Missing,
  pythonPrograms,
  typescriptPrograms,
} from './client-test/programs.ts';
import { smoke, smokeIn, smokeInBrowser } from './client-test/smoke.ts';
import { readOptions } from './command-line.ts';

const HELP = `Tests the clients as their users have them: packed in a copy of their folder, installed, on a running service.

- A program that reads every list, follows the stream through lost connections, and makes mistakes: under Node 20, 22
  and 24, Deno, Bun, in Chromium, and under Python 3.10 to 3.13.
- The examples of both clients and the program of their READMEs, and the tests of clients/python under each Python; those of clients/typescript are part
  of npm test.

What is not to be had is skipped by name. Runtimes from npm are kept in the user's cache.

Usage: npm run client-test`;

readOptions(HELP, {});

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
  const all = await typescriptPrograms(where);
  for (const one of all) await smokeOf(one, service);
  const [first] = all.filter(isFound);
  if (first === undefined) return;
  const browser = await smokeInBrowser(first.folder);
  if ('missing' in browser) skipped(browser);
  else await passed(browser.name, 'smoke', () => smoke(browser.run, service));
  await passed(first.name, 'examples', () => runExamples(first, { service, delivery: signed() }));
}

async function testPython(service: ServiceOverArchive): Promise<void> {
  const where = join(folder.path, 'python');
  await mkdir(where);
  const all = await pythonPrograms(where);
  const tests = all.map(async (one) => {
    await smokeOf(one, service);
    if (isFound(one)) await passed(one.name, 'unit tests', () => unitTests(one));
  });
  await allOf(tests);
  const last = all.filter(isFound).at(-1);
  if (last !== undefined)
    await passed(last.name, 'examples', () => runExamples(last, { service, delivery: signed() }));
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
