import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { webhookOf } from '../../../test/support/webhooks.ts';
import type { DatabaseKind } from '../databases.ts';
import { Remote } from '../remote.ts';
import { sampleAlert } from '../sample-alerts.ts';
import type { WideProcess } from './wide-process.ts';

const PER_KEY = 20;
const LOOK_MS = 100;
const SHARES_MS = 6_000;
const IDLE_MS = 10_000;

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
  /** How many deliveries were sent. */
  readonly sent: number;
  /** How many of them are recorded as answered 200. */
  readonly delivered: number;
}

/** Webhooks on one MongoDB, each at a host of its own. Disposal drops the database. */
export type WideBench = Awaited<ReturnType<typeof openWideBench>>;

export async function openWideBench({ open }: DatabaseKind, webhooks: number) {
  const { url, [Symbol.asyncDispose]: drop } = await open();
  const database = await openDatabase(url);
  await register(database, webhooks);
  const client = await MongoClient.connect(url);
  let alert = 0;

  async function publish(processes: readonly Remote<WideProcess>[]): Promise<WideRun> {
    alert += 1;
    const before = { own: await usedBy(processes), server: await serverUse(client) };
    const startedAt = Date.now();
    await database.alerts.append(sampleAlert(alert));
    const { endedAt, delivered } = await ended(client, alert, webhooks);
    const [own, server] = [await usedBy(processes), await serverUse(client)];
    return {
      inserts: server.inserts - before.server.inserts - 1,
      seconds: (endedAt - startedAt) / 1_000,
      cpuSeconds: own.cpuSeconds - before.own.cpuSeconds,
      serverCpuSeconds: server.cpuSeconds - before.server.cpuSeconds,
      sent: own.sent - before.own.sent,
      delivered,
    };
  }

  return {
    /** Starts processes that deliver. Disposal kills them. */
    async start(count: number) {
      const file = new URL('./wide-process.ts', import.meta.url);
      const processes = Array.from({ length: count }, () => new Remote<WideProcess>(file));
      await Promise.all(processes.map((each) => each.call('start', url)));
      // Until each has read which others there are.
      await sleep(count === 1 ? 0 : SHARES_MS);
      return {
        delay: (ms: number) => Promise.all(processes.map((each) => each.call('delay', ms))),
        /** Processor time of one process in a second without an alert, in milliseconds. */
        async idleMs() {
          const before = await usedBy(processes);
          await sleep(IDLE_MS);
          const { cpuSeconds } = await usedBy(processes);
          return ((cpuSeconds - before.cpuSeconds) * 1_000) / count / (IDLE_MS / 1_000);
        },
        /** Publishes one alert, and waits until all its deliveries ended. */
        publish: () => publish(processes),
        async [Symbol.asyncDispose]() {
          await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await database.close();
      await drop();
    },
  };
}

async function usedBy(processes: readonly Remote<WideProcess>[]) {
  const used = await Promise.all(processes.map((each) => each.call('measure')));
  return {
    cpuSeconds: used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    sent: used.reduce((sum, each) => sum + each.sent, 0),
  };
}

type Stores = Pick<Awaited<ReturnType<typeof openDatabase>>, 'keys' | 'webhooks'>;

/** Twenty webhooks of each key, which no client uses: they need no hash. */
async function register({ keys, webhooks }: Stores, count: number): Promise<void> {
  const rest = {
    hash: 'none',
    tier: 'enterprise',
    createdAt: 0,
    trialEndsAt: null,
    revokedAt: null,
  } as const;
  for (let first = 0; first < count; first += PER_KEY) {
    const keyId = `key_${first / PER_KEY}`;
    await keys.insert({ ...PLAIN_KEY, ...rest, id: keyId, lookup: keyId, name: keyId });
    const own = Array.from({ length: Math.min(PER_KEY, count - first) }, (_, index) => first + index);
    const webhook = (index: number) =>
      webhookOf({
        id: `wh_${secureRandom.base64url(12)}`,
        keyId,
        url: `https://host-${index}.example.com/hook`,
      });
    await Promise.all(own.map((index) => webhooks.insert(webhook(index), PER_KEY)));
  }
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
    await sleep(LOOK_MS);
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
