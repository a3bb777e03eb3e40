import { once } from 'node:events';
import { copyFile, mkdir, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../test/support/mongod/own-mongod.ts';
import { type ServiceOverArchive, startServiceOverArchive } from '../test/support/service-over-archive.ts';
import { type ClientPrograms, installPython, installTypescript } from './client-test/programs.ts';
import { readOptions } from './command-line.ts';

const CLIENTS = join(import.meta.dirname, '../clients');
const PATIENCE_MS = 30_000;
const NEWEST = 130;
const NEWEST_ABOVE_70 = 128;

interface SignedDelivery {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly shown: string;
}

async function runExamples(
  programs: ClientPrograms,
  { service, delivery }: { readonly service: ServiceOverArchive; readonly delivery: SignedDelivery },
): Promise<number> {
  const { name, extension, folder } = programs;
  const examples = join(CLIENTS, name.toLowerCase(), 'examples');
  const env = { TIPOFF_URL: service.address, TIPOFF_API_KEY: service.keys.enterprise };
  const start = async (example: string, settings: Readonly<Record<string, string>>) => {
    const file = `${example}.${extension}`;
    await copyFile(join(examples, file), join(folder, file));
    return programs.start(file, [], settings);
  };

  const latest = await start('latest', env);
  const [out, errors, [code]] = await Promise.all([
    text(latest.stdout),
    text(latest.stderr),
    once(latest, 'close'),
  ]);
  if (code !== 0 || !out.startsWith(`${NEWEST} `))
    throw new Error(`${name} latest: ${code}\n${out}\n${errors}`);

  const follow = await start('follow', env);
  try {
    const lines = await linesUntil(follow, (line) => line.startsWith(`${NEWEST_ABOVE_70} `));
    const ids = lines.map((line) => Number(line.split(' ')[0]));
    const isSorted = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0));
    if (ids.length < 20 || !isSorted) throw new Error(`${name} follow: ${lines.join('\n')}`);
  } finally {
    follow.kill('SIGKILL');
  }
  const lastId = Number(await readFile(join(folder, 'last-id'), 'utf8'));
  if (!(lastId > 100)) throw new Error(`${name} follow: the last id is ${lastId}`);

  const port = String(await freePort());
  const webhook = await start('webhook', { PORT: port, TIPOFF_WEBHOOK_SECRET: delivery.secret });
  try {
    await linesUntil(webhook, (line) => line === 'listening');
    const post = async (body: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: delivery.headers, body })).status;
    const received = linesUntil(webhook, (line) => line.startsWith(delivery.shown));
    received.catch(() => {});
    const statuses = [await post(`${delivery.body} `), await post(delivery.body), await post(delivery.body)];
    if (statuses.join() !== '401,200,200') throw new Error(`${name} webhook: ${statuses}`);
    if ((await received).length !== 1) throw new Error(`${name} webhook: repeated`);
  } finally {
    webhook.kill('SIGKILL');
  }
  return 3;
}

function linesUntil(
  child: ReturnType<ClientPrograms['start']>,
  isLast: (line: string) => boolean,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const errors = text(child.stderr);
    const timer = setTimeout(() => reject(new Error(`no such line:\n${lines.join('\n')}`)), PATIENCE_MS);
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => {
      lines.push(line);
      if (!isLast(line)) return;
      clearTimeout(timer);
      reader.close();
      resolve(lines);
    });
    child.once('exit', async () => {
      clearTimeout(timer);
      reject(new Error(`it has ended:\n${lines.join('\n')}\n${await errors}`));
    });
  });
}

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
