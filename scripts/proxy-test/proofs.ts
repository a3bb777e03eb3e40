import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../test/support/wait-until.ts';
import { metricAt } from '../bench/service.ts';
import type { StreamConsumer } from '../chaos/consumers.ts';
import type { Member } from '../chaos/member.ts';
import type { Nginx } from '../support/nginx.ts';
import { accepted, runTool } from '../support/tools.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const SETTLED_MS = 60_000;
const BEAT_MS = 25_000;
const FIRST_EVENT_MS = 2_000;
const FREE_PER_MINUTE = 60;
const REQUESTS = 90;
/** A process that gets no answer of the database within 250 ms counts alone: the test must not cause that. */
const IN_FLIGHT = 3;
const NOT_SHARED = 'shared rate limits unavailable';
const WINDOW_MS = 61_000;
const TOGETHER = 24;

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (shown !== wanted) throw new Error(`${what}: expected ${wanted}, got ${shown}`);
}

export async function provesFront({ address, plainAddress }: Nginx): Promise<string> {
  const asked = (url: string) => fetch(url, { redirect: 'manual' });
  const statusOf = async (url: string) => (await asked(url)).status;
  const statuses = [
    await statusOf(`${address}/healthz`),
    await statusOf(`${plainAddress}/healthz`),
    await statusOf(`${address}/metrics`),
  ];
  expectEqual(statuses, [200, 301, 404], 'https /healthz, http /healthz, https /metrics');
  const hsts = await Promise.all(
    [`${address}/healthz`, `${address}/metrics`, `${plainAddress}/healthz`].map(async (url) =>
      (await asked(url)).headers.get('strict-transport-security'),
    ),
  );
  const ofYear = 'max-age=31536000';
  expectEqual(hsts, [ofYear, ofYear, null], 'HSTS with TLS, on a refusal, without TLS');
  const ready = (await (await fetch(`${address}/readyz`)).json()) as object;
  expectEqual(ready, { ready: true, failing: [] }, '/readyz of a stranger');
  return '200 with TLS and HSTS, 301 without, /metrics 404, /readyz without checks';
}

/** An open page gets its first event immediately, not when a buffer of nginx is full, and the comments after it. */
export async function provesLivePage({ address }: Nginx): Promise<string> {
  const signal = AbortSignal.timeout(BEAT_MS + SETTLED_MS);
  const asked = performance.now();
  const answer = await fetch(`${address}/live?topics=alerts`, { signal });
  let [received, firstMs] = ['', 0];
  for await (const bytes of answer.body ?? []) {
    received += Buffer.from(bytes).toString();
    firstMs ||= performance.now() - asked;
    if (received.endsWith('\n:\n\n')) break;
  }
  if (firstMs > FIRST_EVENT_MS) throw new Error(`the first event came after ${Math.round(firstMs)} ms`);
  return `first event after ${Math.round(firstMs)} ms, open after ${Math.round((performance.now() - asked) / 1_000)} s`;
}

/** A key, and an address without one, have one limit over both processes, whatever address the client claims. */
export async function provesLimits(
  nginx: Nginx,
  { apis, freeKeys }: { readonly apis: readonly Member[]; readonly freeKeys: readonly string[] },
): Promise<string> {
  const fallbacks = () => apis.map(({ output }) => output.split(NOT_SHARED).length).join();
  for (const [index, key] of freeKeys.entries()) {
    const before = fallbacks();
    try {
      return await limitsOf(nginx, key);
    } catch (error) {
      // A machine that is too busy for the database to answer in time: the next key is for the next minute.
      if (fallbacks() === before || index === freeKeys.length - 1) throw error;
      await delay(WINDOW_MS);
    }
  }
  throw new Error('no key');
}

async function limitsOf(nginx: Nginx, freeKey: string): Promise<string> {
  const send = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${nginx.address}/api/v1${path}`, { headers });
    await answer.arrayBuffer();
    return { status: answer.status, left: Number(answer.headers.get('ratelimit-remaining')) };
  };
  const results: string[] = [];
  for (const [who, path, headersOf] of [
    ['key', '/me', () => ({ authorization: `Bearer ${freeKey}` })],
    ['address', '/hot-markets', (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })],
  ] as const) {
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    for (let n = 0; n < REQUESTS; n += IN_FLIGHT)
      answers.push(
        ...(await Promise.all(Array.from({ length: IN_FLIGHT }, (_, m) => send(path, headersOf(n + m))))),
      );
    const left = answers.filter(({ status }) => status === 200).map((answer) => answer.left);
    const expected = Array.from({ length: FREE_PER_MINUTE }, (_, n) => n);
    expectEqual(
      left.toSorted((a, b) => a - b),
      expected,
      `remaining requests of the ${who}`,
    );
    const refused = answers.filter(({ status }) => status === 429).length;
    expectEqual(refused, REQUESTS - FREE_PER_MINUTE, `429 of the ${who}`);
    results.push(`${who}: ${left.length} × 200 without a gap, ${refused} × 429`);
  }
  return results.join('; ');
}

/** Each process of the API is killed and ended while alerts flow; every client of the stream has each alert once. */
export async function provesStream(
  apis: readonly Member[],
  clients: readonly StreamConsumer[],
  ledgerLength: () => Promise<number>,
): Promise<string> {
  const signals = ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM'] as const;
  let moved = 0;
  for (const [index, signal] of signals.entries()) {
    const api = apis[index % apis.length] as Member;
    moved += await metricAt(api.address, 'tipoff_stream_sockets');
    await api.end(signal);
    await delay(3_000);
    api.start();
    await api.logged('listening');
    await delay(2_000);
  }
  if (moved === 0) throw new Error('no process that was ended had a client');
  const target = await ledgerLength();
  await waitUntil(() => (clients.every(({ received }) => received.length >= target) ? true : null), {
    timeoutMs: SETTLED_MS,
    what: `${target} alerts at each client`,
  });
  for (const { received } of clients) {
    const ids = received.slice(0, target).map(({ id }) => id);
    expectEqual(
      ids,
      Array.from({ length: target }, (_, n) => n + 1),
      'alerts of a client',
    );
  }
  const connections = clients.reduce((sum, client) => sum + client.connections, 0);
  return `${signals.length} ends of a process, ${moved} sockets cut, ${clients.length} clients got ${target} alerts each, in order, once, over ${connections} connections`;
}

/** Once all processes are back after a request that none of them answered, nginx asks them for every request. */
export async function provesRestart({ address }: Nginx, apis: readonly Member[]): Promise<string> {
  const askTogether = async (path = '/healthz') => {
    const asked = Array.from({ length: TOGETHER }, async () => {
      const answer = await fetch(address + path);
      await answer.arrayBuffer();
      return answer.status;
    });
    return Promise.all(asked);
  };
  await Promise.all(apis.map((api) => api.end('SIGTERM')));
  const during = await askTogether();
  expectEqual([...new Set(during)], [502], 'answers without a process');
  for (const api of apis) api.start();
  for (const api of apis) await api.logged('listening');
  await delay(2_000);
  // nginx answers these itself: the connections are open, so that the next requests reach it in one moment.
  await askTogether('/metrics');
  const afterwards = await askTogether();
  expectEqual([...new Set(afterwards)], [200], 'answers when all processes run again');
  return `${during.length} × 502 without a process, then ${afterwards.length} × 200`;
}

/** Keys in addresses, answered or not, are in no log of nginx. */
export async function provesLogs(
  nginx: Nginx,
  { apis, secrets }: { readonly apis: readonly Member[]; readonly secrets: readonly string[] },
): Promise<string> {
  const [key = ''] = secrets;
  const ask = (path: string) =>
    fetch(nginx.address + path, { headers: { referer: `https://example.com/?api_key=${key}` } });
  const paths = [`/ws/alerts?api_key=${key}`, `/api/v1/me?api_key=${key}`, `/x?api_key=${key}`];
  const isServed = async () => ((await ask('/healthz')).status === 200 ? true : null);
  await waitUntil(isServed, { timeoutMs: SETTLED_MS, what: 'an answer through nginx' });
  const answered = (await Promise.all(paths.map(ask))).map(({ status }) => status);
  if (answered.includes(502)) throw new Error(`answers ${answered} while all processes ran`);
  await Promise.all(apis.map((api) => api.end('SIGKILL')));
  const unanswered = (await Promise.all(paths.map(ask))).map(({ status }) => status);
  expectEqual(unanswered, [502, 502, 502], 'answers without a process');
  const plain = await fetch(`${nginx.plainAddress}/ws/alerts?api_key=${key}`, { redirect: 'manual' });
  expectEqual(plain.status, 301, 'answer without TLS');
  await delay(500);
  const logs = await nginx.logs();
  const lines = Object.values(logs).join('').split('\n').length;
  if (lines < 100) throw new Error(`the logs have ${lines} lines only: ${Object.keys(logs).join(', ')}`);
  for (const [name, text] of Object.entries(logs))
    for (const secret of [...secrets, 'sk_live_', 'api_key'])
      if (text.includes(secret)) throw new Error(`${name} has ${secret.slice(0, 8)}…`);
  return `no key in ${lines} lines of ${Object.keys(logs).length} logs, after answers ${answered} and ${unanswered}`;
}

/** promtool accepts the rules, their tests, the dashboard's expressions and the metrics of each process. */
export async function provesMonitoring(members: readonly Member[], folder: string): Promise<string> {
  const expressions = await accepted('promtool', ['check', 'rules', await dashboardRules(folder)]);
  const rules = await accepted('promtool', ['check', 'rules', `${DEPLOY}/prometheus/tipoff-rules.yml`]);
  await accepted('promtool', ['test', 'rules', `${DEPLOY}/prometheus/tipoff-rules.test.yml`]);
  const sizes: string[] = [];
  for (const { name, address } of members) {
    const text = await (await fetch(`${address}/metrics`)).text();
    const { output } = await runTool('promtool', ['check', 'metrics'], { input: text });
    const remarks = output.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'));
    if (remarks.length > 0) throw new Error(`metrics of ${name}:\n${remarks.join('\n')}`);
    sizes.push(`${name} ${text.match(/^# TYPE/gm)?.length}`);
  }
  const [alerts, panels] = [rules, expressions].map(({ output }) => /(\d+) rules/.exec(output)?.[1]);
  return `${alerts} alerts and their tests, ${panels} expressions of the dashboard; metrics: ${sizes.join(', ')}`;
}

async function dashboardRules(folder: string): Promise<string> {
  const { panels } = JSON.parse(await readFile(`${DEPLOY}/grafana/tipoff.json`, 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  const rules = targets.map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
  const file = join(folder, 'dashboard.yml');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  return file;
}
