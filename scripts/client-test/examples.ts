import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ApiDocument } from '../../src/http/documents/openapi-types.ts';
import { endpointsOf } from '../../src/site/reference/chapters.ts';
import { requestExamples } from '../../src/site/reference/request-examples.ts';
import { freePort } from '../../test/support/mongod/own-mongod.ts';
import type { ServiceOverArchive } from '../../test/support/service-over-archive.ts';
import type { ClientPrograms } from './programs.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');
const PATIENCE_MS = 60_000;
const NEWEST = 130;
const NEWEST_ABOVE_70 = 128;

/** Runs the examples of a client. Throws if one does not do what its comment says. */
export async function runExamples(programs: ClientPrograms, service: ServiceOverArchive): Promise<void> {
  const { name, language, folder } = programs;
  const extension = language === 'python' ? 'py' : 'mjs';
  const examples = join(CLIENTS, language, 'examples');
  const env = { TIPOFF_URL: service.address, TIPOFF_API_KEY: service.keys.enterprise };
  const start = async (example: string, settings: Readonly<Record<string, string>>) => {
    const file = `${example}.${extension}`;
    await copyFile(join(examples, file), join(folder, file));
    return programs.start(file, [], settings);
  };

  const out = await outputOf(await start('latest', env));
  if (!out.startsWith(`${NEWEST} `)) throw new Error(`${name} latest: ${out}`);

  const readme = await readFile(join(CLIENTS, language, 'README.md'), 'utf8');
  const [, program = ''] = /```(?:js|python)\n(import [\s\S]*?)```/.exec(readme) ?? [];
  const file = `readme.${extension}`;
  await writeFile(join(folder, file), program);
  const shown = await outputOf(programs.start(file, [], env));
  if (!/^\d+ 8\d BUY .* was (?:right|wrong)$/m.test(shown)) throw new Error(`${name} README:\n${shown}`);

  if (language === 'python') await runReference(programs, env);

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

  const delivery = signed();
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
}

/** The examples of `/docs` as they are copied. What they ask for may not be there (404), and an earlier run may have registered the webhook. */
async function runReference(
  { folder, start }: ClientPrograms,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const url = env['TIPOFF_URL'] ?? '';
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as ApiDocument;
  const examples = endpointsOf(document).map((endpoint) => requestExamples(endpoint, url).Python);
  const program = `from tipoff import TipoffError

for example in ${JSON.stringify(examples)}:
    try:
        exec(example)
    except TipoffError as error:
        if error.status != 404 and error.code != "webhook_url_taken":
            raise
`;
  await writeFile(join(folder, 'reference.py'), program);
  await outputOf(start('reference.py', [], env));
}

/** Of a program that ends by itself. */
export async function outputOf(program: ReturnType<ClientPrograms['start']>): Promise<string> {
  const timer = setTimeout(() => program.kill('SIGKILL'), PATIENCE_MS);
  const [out, errors, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'close'),
  ]);
  clearTimeout(timer);
  if (code !== 0) throw new Error(`it ended with ${code}\n${out}\n${errors}`);
  return out;
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

export function signed() {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const [id, at, body] = ['msg_1', new Date(), '{"id":7,"event_title":"Will it pass?"}'];
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { secret, headers, body, shown: '7 Will' };
}
