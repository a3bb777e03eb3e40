import { describe, type ExpectStatic, type TestContext, test } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import type { Webhook } from '../../src/core/delivery/webhooks/webhook.ts';
import { alertOf } from '../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import {
  checkSignatures,
  eventually,
  issueKey,
  openDeliveryServiceFixture,
  register,
  SECRET_KEY,
} from './delivery-service-fixture.ts';

const AT_ONCE = { concurrent: true, timeout: 120_000 };

const idsUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function openFixture(open: () => Promise<TestDatabase>, { onTestFinished }: TestContext) {
  const opened = await open();
  const receivers = await openDeliveryServiceFixture();
  onTestFinished(async () => {
    await receivers.close();
    await opened.drop();
  });
  const { database, url } = opened;
  const { keyId } = await issueKey(database);
  return {
    receivers,
    database,
    register: (name: string) => register(database, keyId, receivers.url(name)),
    async start() {
      const service = receivers.start(url);
      await service.logged('listening');
      return service;
    },
    async publish(ids: readonly number[]) {
      for (const id of ids) await database.alerts.append(alertOf({ id, createdAt: Date.now() }));
    },
    receivedBy: (name: string) =>
      receivers.received
        .filter(({ path }) => path === `/${name}`)
        .map(({ alert }) => alert)
        .toSorted((a, b) => a - b),
  };
}

async function logOf({ deliveries }: Database, { id }: Webhook) {
  const log = await deliveries.list(id, { limit: 100 });
  return log.map(({ alertId, state }) => [alertId, state]).toSorted(([a], [b]) => Number(a) - Number(b));
}

/** Counts are written after the log; those that a killed process had not written stay too low. */
async function waitForCounts(
  { webhooks }: Database,
  { id }: Webhook,
  delivered: number,
  expect: ExpectStatic,
) {
  await eventually(async () => expect(await webhooks.byIds([id])).toMatchObject([{ delivered, failed: 0 }]));
}

const allDelivered = (ids: readonly number[]) => ids.map((id) => [id, 'delivered']);

describe.each(DATABASES)('webhooks of processes on $name', AT_ONCE, ({ available, open }) => {
  test.skipIf(!available)(
    'are delivered once, signed, counted, and by the next process after a stop and a kill',
    async (context) => {
      const { expect } = context;
      const { receivers, database, register, start, publish, receivedBy } = await openFixture(open, context);
      const webhook = await register('signed');
      const first = await start();
      await publish([1, 2, 3, 4, 5]);
      await eventually(async () => expect(await logOf(database, webhook)).toEqual(allDelivered(idsUpTo(5))));
      await waitForCounts(database, webhook, 5, expect);
      await first.end('SIGKILL');
      await publish([6, 7, 8]);
      const second = await start();
      await eventually(() => expect(receivedBy('signed')).toHaveLength(8));
      await second.end('SIGTERM');
      await publish([9, 10]);
      await start();

      await eventually(async () => expect(await logOf(database, webhook)).toEqual(allDelivered(idsUpTo(10))));
      expect(receivedBy('signed')).toEqual(idsUpTo(10));
      await checkSignatures(receivers, database, { webhook, secretKey: SECRET_KEY });
      await waitForCounts(database, webhook, 10, expect);
    },
  );
});

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

test.skipIf(mongo?.available !== true)(
  `of three processes on one ${mongo?.name} one sends every alert to every webhook exactly once, and when it is killed another the rest`,
  AT_ONCE,
  async (context) => {
    const { expect } = context;
    const { database, register, start, publish, receivedBy } = await openFixture(
      () => mongo?.open() as Promise<TestDatabase>,
      context,
    );
    const names = ['a', 'b', 'c', 'd', 'e'];
    const webhooks = await Promise.all(names.map(register));
    const services = await Promise.all([start(), start(), start()]);
    const ids = idsUpTo(60);
    const untilDelivered = async (last: number) => {
      const expected = allDelivered(idsUpTo(last));
      for (const webhook of webhooks)
        await eventually(async () => expect(await logOf(database, webhook)).toEqual(expected));
    };

    await publish(ids.slice(0, 30));
    await untilDelivered(30);
    const isWorker = (service: ServiceProcess) => service.output().includes('delivering');
    expect(services.filter(isWorker)).toHaveLength(1);
    await services.find(isWorker)?.end('SIGKILL');
    await publish(ids.slice(30));
    await untilDelivered(60);
    for (const name of names) expect(receivedBy(name)).toEqual(ids);
    expect(services.map((service) => service.output()).join('')).not.toContain('whsec_');
  },
);
