import { MongoClient } from 'mongodb';
import { PLAIN_KEY } from '../../../src/core/keys/api-key.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { secureRandom } from '../../../src/infra/key-crypto.ts';
import { createAuthority, writeCaFile } from '../../../test/support/tls/authority.ts';
import { webhookOf } from '../../../test/support/webhooks.ts';
import type { DatabaseKind } from '../databases.ts';
import { Remote } from '../remote.ts';
import { sampleAlert } from '../sample-alerts.ts';
import { startServer } from '../stream/processes.ts';
import type { Receivers } from './receivers.ts';

const PER_KEY = 20;
const LOOK_MS = 100;

/** What one alert cost. */
export interface WideRun {
  /** Documents that the server was asked to insert, the alert's own not counted. */
  readonly inserts: number;
  /** From the publication of the alert until its last delivery ended. */
  readonly seconds: number;
  /** Processor time of all processes that deliver. */
  readonly cpuSeconds: number;
  /** Processor time of the database server. */
  readonly serverCpuSeconds: number;
  /** How many deliveries were answered 200. */
  readonly delivered: number;
}

interface WideCounts {
  readonly webhooks: number;
  /** Each is an address of the loopback network. */
  readonly hosts: number;
}

/** Webhooks on one MongoDB, spread over the hosts, whose receivers are a process of their own. Disposal ends all. */
export type WideBench = Awaited<ReturnType<typeof openWideBench>>;

export async function openWideBench({ open }: DatabaseKind, { webhooks, hosts }: WideCounts) {
  const { url, [Symbol.asyncDispose]: drop } = await open();
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const receivers = new Remote<Receivers>(new URL('./receivers.ts', import.meta.url));
  const names = Array.from({ length: hosts }, (_, index) => `127.0.1.${index + 1}`);
  const { late } = await receivers.call('listen', await authority.issue({ names }));
  const database = await openDatabase(url);
  const targets = Array.from({ length: webhooks }, (_, index) => `${names[index % hosts]}:${late}`);
  await register(database, targets);
  const client = await MongoClient.connect(url);
  let alert = 0;

  return {
    delay: (ms: number) => receivers.call('delay', ms),
    /** Starts processes that deliver. Disposal kills them. */
    async start(processes: number) {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca.path };
      const settings = { DATABASE_URL: url, ROLES: 'deliver', WEBHOOK_ALLOW_PRIVATE: 'true' };
      const services = Array.from({ length: processes }, () => startServer(env));
      for (const service of services) await service.call('start', 'service', settings);
      const cpuSeconds = async () => {
        const used = await Promise.all(services.map((service) => service.call('measure')));
        return used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
      };
      return {
        /** Publishes one alert, and waits until all its deliveries ended. */
        async publish(): Promise<WideRun> {
          alert += 1;
          const before = { cpu: await cpuSeconds(), server: await serverUse(client) };
          const startedAt = Date.now();
          await database.alerts.append(sampleAlert(alert));
          const { endedAt, delivered } = await ended(client, alert, webhooks);
          const server = await serverUse(client);
          return {
            inserts: server.inserts - before.server.inserts - 1,
            seconds: (endedAt - startedAt) / 1_000,
            cpuSeconds: (await cpuSeconds()) - before.cpu,
            serverCpuSeconds: server.cpuSeconds - before.server.cpuSeconds,
            delivered,
          };
        },
        async [Symbol.asyncDispose]() {
          await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await receivers[Symbol.asyncDispose]();
      await ca.remove();
      await client.close();
      await database.close();
      await drop();
    },
  };
}

type Stores = Pick<Awaited<ReturnType<typeof openDatabase>>, 'keys' | 'webhooks'>;

/** Twenty webhooks of each key, which no client uses: they need no hash. */
async function register({ keys, webhooks }: Stores, targets: readonly string[]): Promise<void> {
  const rest = {
    hash: 'none',
    tier: 'enterprise',
    createdAt: 0,
    trialEndsAt: null,
    revokedAt: null,
  } as const;
  for (let first = 0; first < targets.length; first += PER_KEY) {
    const keyId = `key_${first / PER_KEY}`;
    await keys.insert({ ...PLAIN_KEY, ...rest, id: keyId, lookup: keyId, name: keyId });
    const own = targets.slice(first, first + PER_KEY);
    await Promise.all(own.map((target) => webhooks.insert(webhookAt(target, keyId), PER_KEY)));
  }
}

function webhookAt(target: string, keyId: string) {
  return webhookOf({ id: `wh_${secureRandom.base64url(12)}`, keyId, url: `https://${target}/hook` });
}

/** Waits for the last delivery of the alert. */
async function ended(client: MongoClient, alert: number, webhooks: number) {
  const deliveries = client.db().collection('deliveries');
  // The index is named after the state.
  const isEmpty = async (state: string) => (await deliveries.findOne({ state }, { hint: state })) === null;
  const cursor = client.db().collection<{ _id: string; alertId: number }>('delivery_cursor');
  for (;;) {
    const reached = (await cursor.findOne({ _id: 'webhooks' }))?.alertId ?? 0;
    if (reached >= alert && (await isEmpty('pending')) && (await isEmpty('claimed'))) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const rows = await deliveries
    .find({ alertId: alert }, { projection: { state: 1, finishedAt: 1 } })
    .toArray();
  if (rows.length !== webhooks) throw new Error(`${rows.length} deliveries instead of ${webhooks}`);
  return {
    endedAt: Math.max(...rows.map(({ finishedAt }) => Number(finishedAt))),
    delivered: rows.filter(({ state }) => state === 'delivered').length,
  };
}

async function serverUse(client: MongoClient) {
  const { opcounters, extra_info: use } = await client.db().admin().serverStatus();
  return {
    inserts: Number(opcounters.insert),
    cpuSeconds: (Number(use.user_time_us) + Number(use.system_time_us)) / 1e6,
  };
}
