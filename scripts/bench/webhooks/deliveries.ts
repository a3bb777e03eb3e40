import { type ChildProcess, fork } from 'node:child_process';
import { openDatabase } from '../../../src/infra/database.ts';
import { type Authority, createAuthority, writeCaFile } from '../../../test/support/tls/authority.ts';
import { openSqliteFile } from '../databases.ts';
import { type Figure, median, note, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { issueKeys } from '../service.ts';
import { answerOf, end, type StreamServer, startServer } from '../stream/processes.ts';
import type { BareAnswer, BareOrder } from './bare-undici.ts';
import type { ReceiverAnswer, ReceiverOrder } from './receivers.ts';

const RECEIVERS = 500;
const PER_KEY = 20;
const ALERTS = 10;
const ROUNDS = 5;
/** The service's own bounds, so that both sides have as much under way. */
const BOUNDS = { atOnce: 1_024, connectionsPerHost: 16 };

interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** Alerts to 500 receivers over TLS, by the service and by bare undici in turns. */
export async function benchDeliveries(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca.path };
  const receivers = fork(new URL('./receivers.ts', import.meta.url));
  const bare = fork(new URL('./bare-undici.ts', import.meta.url), { env });
  let service: StreamServer | null = null;
  try {
    const urls = await listen(receivers, authority);
    await register(database.url, urls);
    service = await startServer(
      'service',
      { DATABASE_URL: database.url, ROLES: 'deliver', WEBHOOK_ALLOW_PRIVATE: 'true' },
      env,
    );
    const rounds = await takeTurns(service, { bare, receivers, urls });
    return figuresOf(rounds.ours, rounds.bare);
  } finally {
    await Promise.all([service?.stop(), end(receivers), end(bare)]);
    await ca.remove();
    await database.drop();
  }
}

/** Every receiver is a host of its own: an address of the loopback network. */
async function listen(receivers: ChildProcess, authority: Authority): Promise<readonly string[]> {
  const hosts = Array.from({ length: RECEIVERS }, (_, index) => `127.0.${index >> 8}.${(index & 255) + 1}`);
  const certificate = await authority.issue({ names: hosts });
  const order: ReceiverOrder = { do: 'listen', certificate };
  const told = await answerOf<ReceiverAnswer>(receivers, order);
  const port = told.did === 'listen' ? told.port : Number.NaN;
  return hosts.map((host) => `https://${host}:${port}/hook`);
}

async function register(databaseUrl: string, urls: readonly string[]): Promise<void> {
  await issueKeys(databaseUrl, Math.ceil(urls.length / PER_KEY));
  const { keys, webhooks, close } = await openDatabase(databaseUrl);
  const owners = await keys.list();
  for (const [index, url] of urls.entries()) {
    const keyId = owners[Math.floor(index / PER_KEY)]?.id ?? '';
    const rest = { categories: null, minScore: null, secretVersion: 1, rotatedAt: null, isPaused: false };
    const counts = { delivered: 0, failed: 0, failuresInRow: 0 };
    await webhooks.insert({ id: `wh_${index}`, keyId, url, createdAt: 0, ...rest, ...counts }, PER_KEY);
  }
  await close();
}

interface Sides {
  readonly bare: ChildProcess;
  readonly receivers: ChildProcess;
  readonly urls: readonly string[];
}

async function takeTurns(
  service: StreamServer,
  sides: Sides,
): Promise<{ ours: readonly Round[]; bare: readonly Round[] }> {
  await ourRound(service, sides);
  await bareRound(sides);
  const ours: Round[] = [];
  const bare: Round[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    ours.push(await ourRound(service, sides));
    bare.push(await bareRound(sides));
    const speeds = [ours, bare].map((of) => whole(of.at(-1)?.perSecond ?? Number.NaN));
    progress(`${RECEIVERS} receivers: ${speeds.join(' : ')} deliveries/s`);
  }
  return { ours, bare };
}

async function ourRound(service: StreamServer, { receivers, urls }: Sides): Promise<Round> {
  const before = await service.measure();
  return timed(receivers, urls.length, async () => {
    for (let alert = 0; alert < ALERTS; alert++) await service.publish();
    return async () => (await service.measure()).cpuSeconds - before.cpuSeconds;
  });
}

async function bareRound({ bare, receivers, urls }: Sides): Promise<Round> {
  return timed(receivers, urls.length, async () => {
    const order: BareOrder = { urls, alerts: ALERTS, ...BOUNDS };
    const answer = answerOf<BareAnswer>(bare, order);
    return async () => (await answer).cpuSeconds;
  });
}

/** From the first alert until the last receiver has the last one. */
async function timed(
  receivers: ChildProcess,
  targets: number,
  begin: () => Promise<() => Promise<number>>,
): Promise<Round> {
  const count = ALERTS * targets;
  const order: ReceiverOrder = { do: 'expect', count };
  const startedAt = performance.now();
  const received = answerOf<ReceiverAnswer>(receivers, order);
  const cpuSeconds = await begin();
  await received;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: count / seconds, cpuMicroseconds: ((await cpuSeconds()) / count) * 1e6 };
}

function figuresOf(ours: readonly Round[], bare: readonly Round[]): readonly Figure[] {
  const ratio = median(ours.map(({ perSecond }, at) => perSecond / (bare[at]?.perSecond ?? Number.NaN)));
  const told = (rounds: readonly Round[]) =>
    `${whole(median(rounds.map((one) => one.perSecond)))} a second, ${whole(median(rounds.map((one) => one.cpuMicroseconds)))} µs of processor each`;
  return [
    note(
      `deliveries a second to ${RECEIVERS} receivers, as a share of bare undici’s (median of ${ROUNDS} alternating rounds)`,
      ratio.toFixed(3),
    ),
    note(
      'the service: matched, written to the outbox, claimed, signed, sent, its outcome written',
      told(ours),
    ),
    note('bare undici: sent', told(bare)),
  ];
}
