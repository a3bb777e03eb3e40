import { type ChildProcess, fork } from 'node:child_process';
import { openDatabase } from '../../../src/infra/database.ts';
import { createAuthority, writeCaFile } from '../../../test/support/tls/authority.ts';
import { webhookOf } from '../../../test/support/webhooks.ts';
import { openSqliteFile } from '../databases.ts';
import { issueKeys } from '../service.ts';
import { answerOf, end, type StreamServer, startServer } from '../stream/processes.ts';
import type { Arrival, ReceiverAnswer, ReceiverOrder, ReceiverPorts } from './receivers.ts';

const PER_KEY = 20;

/** The service as a sender of webhooks, and receivers in a process of their own that it trusts. */
export interface DeliveryBench {
  readonly service: StreamServer;
  readonly urls: Readonly<Record<TargetKind, readonly string[]>>;
  /** The environment in which a process trusts the receivers. */
  readonly env: NodeJS.ProcessEnv;
  /** Resolves when the good receivers were sent so many more. */
  expect(count: number): Promise<readonly Arrival[]>;
  /** Pauses all webhooks of the targets, or resumes them. */
  setPaused(urls: readonly string[], isPaused: boolean): Promise<void>;
  close(): Promise<void>;
}

/** `refusing`: no process listens there. */
export type TargetKind = keyof ReceiverPorts | 'refusing';

/** Every receiver is a host of its own: an address of the loopback network. At most 20,000 in all. */
export async function openDeliveryBench(
  counts: Readonly<Partial<Record<TargetKind, number>>>,
): Promise<DeliveryBench> {
  const database = await openSqliteFile();
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca.path };
  const receivers = fork(new URL('./receivers.ts', import.meta.url));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const hosts = Array.from(
    { length: total },
    (_, index) => `127.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
  );
  const certificate = await authority.issue({ names: hosts });
  const told = await order(receivers, { do: 'listen', certificate });
  if (told.did !== 'listen') throw new Error('the receivers did not listen');
  const urls = urlsOf(hosts, counts, told.ports);
  await register(database.url, Object.values(urls).flat());
  const settings = { DATABASE_URL: database.url, ROLES: 'deliver', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startServer('service', settings, env);
  return {
    service,
    urls,
    env,
    async expect(count) {
      const came = await order(receivers, { do: 'expect', count });
      return came.did === 'expect' ? came.arrivals : [];
    },
    setPaused: (targets, isPaused) => pause(database.url, new Set(targets), isPaused),
    async close() {
      await Promise.all([service.stop(), end(receivers)]);
      await ca.remove();
      await database.drop();
    },
  };
}

function order(receivers: ChildProcess, given: ReceiverOrder): Promise<ReceiverAnswer> {
  return answerOf<ReceiverAnswer>(receivers, given);
}

function urlsOf(
  hosts: readonly string[],
  counts: Readonly<Partial<Record<TargetKind, number>>>,
  ports: ReceiverPorts,
): Record<TargetKind, readonly string[]> {
  const left = [...hosts];
  const take = (kind: TargetKind, port: number) =>
    left.splice(0, counts[kind] ?? 0).map((host) => `https://${host}:${port}/hook`);
  return {
    good: take('good', ports.good),
    uncounted: take('uncounted', ports.uncounted),
    hanging: take('hanging', ports.hanging),
    failing: take('failing', ports.failing),
    dripping: take('dripping', ports.dripping),
    refusing: take('refusing', 1),
  };
}

async function register(databaseUrl: string, urls: readonly string[]): Promise<void> {
  await issueKeys(databaseUrl, Math.ceil(urls.length / PER_KEY));
  const { keys, webhooks, close } = await openDatabase(databaseUrl);
  const owners = await keys.list();
  for (const [index, url] of urls.entries()) {
    const keyId = owners[Math.floor(index / PER_KEY)]?.id ?? '';
    await webhooks.insert(webhookOf({ id: `wh_${index}`, keyId, url }), PER_KEY);
  }
  await close();
}

async function pause(databaseUrl: string, urls: ReadonlySet<string>, isPaused: boolean): Promise<void> {
  const { keys, webhooks, close } = await openDatabase(databaseUrl);
  for (const { id: keyId } of await keys.list())
    for (const { id, url } of await webhooks.listByKey(keyId))
      if (urls.has(url)) await webhooks.update(keyId, id, { isPaused });
  await close();
}
