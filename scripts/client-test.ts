import { once } from 'node:events';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { runExamples } from './client-test/examples.ts';
import { type ClientPrograms, installPython, installTypescript } from './client-test/programs.ts';
import { readOptions } from './command-line.ts';

const HELP = `Tests the clients as their users have them, on a running service.

- The tests of clients/python; those of clients/typescript are part of npm test.
- The examples of both clients.

What needs Python is skipped where Python or PyPI is not available.

Usage: npm run client-test`;

readOptions(HELP, {});

const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-client-test-'));
try {
  await using _ = folder;
  const clients = await installed();
  for (const client of clients) await unitTests(client);
  await examples(clients);
} catch (error) {
  console.error(`clients: failed\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function installed(): Promise<readonly ClientPrograms[]> {
  const [typescript, python] = ['typescript', 'python'].map((name) => join(folder.path, name)) as [
    string,
    string,
  ];
  for (const each of [typescript, python]) await mkdir(each);
  const inPython = await installPython(python);
  if (typeof inPython === 'string') console.log(`the Python client: skipped: ${inPython}`);
  return [await installTypescript(typescript), ...(typeof inPython === 'string' ? [] : [inPython])];
}

/** Those of the TypeScript client run in vitest. */
async function unitTests({ name, start }: ClientPrograms): Promise<void> {
  if (name !== 'Python') return;
  const root = join(import.meta.dirname, '../clients/python');
  const where = ['--start-directory', join(root, 'tests'), '--top-level-directory', root];
  const child = start('-m', ['unittest', 'discover', '--quiet', ...where], {});
  child.stdout.pipe(process.stdout);
  child.stderr.pipe(process.stderr);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the tests of the Python client failed');
  console.log('the tests of the Python client passed');
}

async function examples(clients: readonly ClientPrograms[]): Promise<void> {
  const service = await startServiceOverArchive(`sqlite:${join(folder.path, 'examples.db')}`);
  try {
    for (const client of clients) {
      const count = await runExamples(client, { service, delivery: signed() });
      console.log(`${client.name}: ${count} examples run`);
    }
  } finally {
    await service.stop();
  }
}

function signed() {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const [id, at, body] = ['msg_1', new Date(), '{"id":7,"event_title":"Will it pass?"}'];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { secret, headers, body, shown: '7 Will' };
}
