import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/infra/database/database.ts';
import { startMongod } from '../test/support/mongod/own-mongod.ts';
import { createAuthority, trust } from '../test/support/tls/authority.ts';
import { waitUntil } from '../test/support/wait-until.ts';
import { issueKeys } from './bench/service.ts';
import { createStreamConsumer, type StreamConsumer } from './chaos/consumers.ts';
import { createMember } from './chaos/member.ts';
import { readOptions } from './command-line.ts';
import {
  provesFront,
  provesLimits,
  provesLivePage,
  provesLogs,
  provesMonitoring,
  provesRestart,
  provesStream,
} from './proxy-test/proofs.ts';
import { createGrowingTape } from './support/chaos-tape.ts';
import { createNginx, findNginx } from './support/nginx.ts';
import { isInstalled } from './support/tools.ts';

const HELP = `Runs two processes of the API and one of the other roles on a real mongod, behind a real nginx with TLS and the
configuration of deploy/. Shows that open pages get events, that limits are shared, that clients of the stream resume
when a process ends, that nginx asks all processes again after they were restarted together, that no log of nginx has a
key, and that promtool accepts the rules and the metrics of each process.

Needs promtool and nginx: apt-get install prometheus nginx. Without nginx Debian's is unpacked into a temporary folder;
without either, or without promtool, it ends with 2.

Usage: npm run proxy-test`;
const CLIENTS = 4;
const TRADE_EVERY_MS = 100;
const FIRST_ALERT_MS = 30_000;

readOptions(HELP, {});
await using temporary = await mkdtempDisposable(join(tmpdir(), 'tipoff-proxy-'));
const folder = temporary.path;
const program = await findNginx(folder);
if (program === null || !(await isInstalled('promtool', '--version'))) {
  console.error(`${program === null ? 'nginx' : 'promtool'} not installed: apt-get install nginx prometheus`);
  process.exit(2);
}
const authority = await createAuthority();
trust(authority);
const mongod = await startMongod();
const tape = createGrowingTape(join(folder, 'tape.jsonl'), TRADE_EVERY_MS);
await tape.start();

const common = {
  DATABASE_URL: mongod.uri,
  MARKET_SOURCE: `tail:${tape.file}`,
  TRUST_PROXY: '127.0.0.1',
  SECRET_KEY: 'what the secrets of these webhooks come from',
};
const worker = await createMember('worker', { ...common, ROLES: 'ingest,deliver,bots,jobs' });
const apis = [
  await createMember('api-1', { ...common, ROLES: 'api' }),
  await createMember('api-2', { ...common, ROLES: 'api' }),
];
const upstreams = apis.map(({ address }) => Number(new URL(address).port));
const certificate = await authority.issue({ names: ['localhost', '127.0.0.1'] });
await mkdir(join(folder, 'nginx'));
const nginx = await createNginx({ folder: join(folder, 'nginx'), certificate, upstreams, program });
const clients: StreamConsumer[] = [];
let hasFailed = false;

async function prove(name: string, proof: () => Promise<string>): Promise<void> {
  try {
    console.log(`ok      ${name}: ${await proof()}`);
  } catch (error) {
    hasFailed = true;
    console.log(`FAILED  ${name}: ${(error as Error).message}`);
  }
}

try {
  worker.start();
  await worker.logged('answers /healthz, /readyz and /metrics');
  for (const api of apis) api.start();
  for (const api of apis) await api.logged('listening');
  await prove('nginx -t', () => nginx.check());
  await nginx.start();
  const [streamKey = ''] = await issueKeys(mongod.uri, 1);
  const freeKeys = await issueKeys(mongod.uri, 3, 'free');
  for (let n = 0; n < CLIENTS; n += 1) clients.push(createStreamConsumer(() => nginx.address, streamKey));
  for (const client of clients) client.start();
  await waitUntil(() => (clients.every(({ received }) => received.length > 0) ? true : null), {
    timeoutMs: FIRST_ALERT_MS,
    what: 'a first alert at each client',
  });
  await prove('TLS and the operator’s endpoints', () => provesFront(nginx));
  await prove('open pages', () => provesLivePage(nginx));
  await prove('limits are shared by two processes', () => provesLimits(nginx, { apis, freeKeys }));
  await prove('promtool', () => provesMonitoring([worker, ...apis], folder));
  await prove('clients of the stream resume', () => provesStream(apis, clients, ledgerLength));
  await prove('a restart of all processes', () => provesRestart(nginx, apis));
  await prove('nginx logs no key', () => provesLogs(nginx, { apis, secrets: [streamKey, ...freeKeys] }));
} finally {
  await tape.stop();
  await Promise.all(clients.map((client) => client.stop()));
  await nginx.stop();
  await Promise.all([worker, ...apis].map((member) => member.isRunning && member.end('SIGKILL')));
  await mongod.stop();
}
process.exitCode = hasFailed ? 1 : 0;

async function ledgerLength(): Promise<number> {
  await using database = await openDatabase(mongod.uri);
  return (await database.alerts.last())?.id ?? 0;
}
