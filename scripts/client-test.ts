import { once } from 'node:events';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { runExamples } from './client-test/examples.ts';
import { followThroughKills } from './client-test/kills.ts';
import { type ClientPrograms, installPython, installTypescript } from './client-test/programs.ts';
import { readOptions } from './command-line.ts';

const HELP = `Tests the clients as their users have them, on a running service.

- The tests of clients/python; those of clients/typescript are part of npm test.
- The examples of both clients.
- Both clients follow the stream while the service is killed and started again, from the first of more than 10,000 missed
  alerts on, until their trial ends: every alert once, in order.

What needs Python is skipped where Python or PyPI is not available.

Usage: npm run client-test -- [--kills N] [--only TEXT]

  --kills N    how often the service is killed (default 3)
  --only TEXT  only the parts whose name contains this: unit, examples, kills`;

const { kills, only = '' } = readOptions(HELP, { kills: '3', only: undefined });
const isWanted = (part: string) => part.includes(only);

const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-client-test-'));
try {
  await using _ = folder;
  const clients = await installed();
  if (isWanted('unit')) for (const client of clients) await unitTests(client);
  if (isWanted('examples')) await examples(clients);
  if (isWanted('kills')) await throughKills(clients);
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

/** A delivery of now. */
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

async function throughKills(clients: readonly ClientPrograms[]): Promise<void> {
  const { summary, problems } = await followThroughKills({
    ...{ folder: folder.path, clients, kills: Number(kills) },
    onKill: (kill, received) => console.log(`kill ${kill}: ${received.join(' and ')} alerts received`),
  });
  for (const line of [...summary, ...problems]) console.log(line);
  if (problems.length > 0) throw new Error('alerts were lost or repeated');
  console.log(`no alert was lost or repeated through ${kills} kills of the service`);
}
