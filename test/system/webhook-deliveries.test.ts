import { Webhook as Verifier } from 'standardwebhooks';
import { describe, type TestContext, test } from 'vitest';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../src/infra/secrets/secret-key.ts';
import { alertOf } from '../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { withDatabaseName } from '../support/mongod/mongo-database.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import {
  eventually,
  issueEnterpriseKey,
  logOf,
  openDeliveryServiceFixture,
  register,
  SECRET_KEY,
  startSilentReceiver,
} from './delivery-service-fixture.ts';

const STARTED = 'delivering';
/** Tries of a service to reach its database: by then each of its calls has failed, some of them again. */
const MANY_TRIES = 12;
/** They wait for processes, clocks and each other's processors. */
const AT_ONCE = { concurrent: true, timeout: 120_000 };

/** A database and receivers of the test's own, so that all run concurrently. */
async function openFixture(open: () => Promise<TestDatabase>, { onTestFinished }: TestContext) {
  const opened = await open();
  const fixture = await openDeliveryServiceFixture();
  onTestFinished(async () => {
    await fixture.close();
    await opened.drop();
  });
  const { database } = opened;
  const publish = (id: number) => database.alerts.append(alertOf({ id, createdAt: Date.now() }));
  const publishAll = async (from: number, to: number) => {
    for (let id = from; id <= to; id++) await publish(id);
  };
  return { opened, kit: fixture, database, publish, publishAll };
}

describe.each(DATABASES)('webhooks are delivered on $name', AT_ONCE, ({ available, open }) => {
  describe.skipIf(!available)('by processes of their own', () => {
    test('signed so that the standardwebhooks package accepts them, and the log says so', async (context) => {
      const { expect } = context;
      const { opened, kit: fixture, database, publishAll } = await openFixture(open, context);
      const { keyId } = await issueEnterpriseKey(database);
      const webhook = await register(database, keyId, fixture.url('signed'));
      await fixture.start(opened.url).logged(STARTED);

      await publishAll(1, 3);

      await eventually(async () =>
        expect(await logOf(database, webhook)).toEqual([1, 2, 3].map((id) => [id, 'delivered', null])),
      );
      const secretOf = createWebhookSecrets({
        secretKey: SECRET_KEY,
        secrets: database.secrets,
        random: secureRandom,
        logger: silentLogger,
      });
      const verifier = new Verifier(await secretOf(webhook));
      for (const { body, headers } of fixture.received) {
        const signed = headers as Record<string, string>;
        expect(verifier.verify(body, signed)).toEqual(JSON.parse(body));
        expect(() => verifier.verify(body.replace('"id":', '"id" :'), signed)).toThrow();
      }
      // Counts are written after the outcome.
      await eventually(async () =>
        expect(await database.webhooks.byIds([webhook.id])).toMatchObject([{ delivered: 3, failed: 0 }]),
      );
    });

    /** design.md: "a claim that dies is closed as `unknown`"; contract: "Failed deliveries are not retried." */
    test('a kill between claim and send leaves “unknown” in the log, and nothing is sent again', async (context) => {
      const { expect } = context;
      const { opened, kit: fixture, database, publish } = await openFixture(open, context);
      const silent = await startSilentReceiver();
      const { keyId } = await issueEnterpriseKey(database);
      const webhook = await register(database, keyId, silent.url);
      const first = fixture.start(opened.url);
      await first.logged(STARTED);
      await publish(1);
      await eventually(async () => {
        expect(await logOf(database, webhook)).toEqual([[1, 'claimed', null]]);
        expect(silent.connections()).toBe(1);
      });

      await first.end('SIGKILL');
      await fixture.start(opened.url).logged(STARTED);
      await eventually(async () => expect(await logOf(database, webhook)).toEqual([[1, 'unknown', null]]));

      // The second shows that the process is at work, and that the first was not sent before it.
      await publish(2);
      await eventually(() => expect(silent.connections()).toBe(2));
      await silent.close();
      await eventually(async () =>
        expect(await logOf(database, webhook)).toEqual([
          [1, 'unknown', null],
          [2, 'failed', expect.stringMatching(/^(reset|tls)$/)],
        ]),
      );
    });

    test('what waits when a process is stopped or killed is delivered by the next, once', async (context) => {
      const { expect } = context;
      const { opened, kit: fixture, database, publishAll } = await openFixture(open, context);
      const { keyId } = await issueEnterpriseKey(database);
      const webhook = await register(database, keyId, fixture.url('restart'));
      const first = fixture.start(opened.url);
      await first.logged(STARTED);
      await publishAll(1, 5);
      await eventually(() => expect(fixture.received).toHaveLength(5));
      await first.end('SIGTERM');
      await publishAll(6, 10);

      await fixture.start(opened.url).logged(STARTED);

      await eventually(async () =>
        expect(await logOf(database, webhook)).toEqual(
          Array.from({ length: 10 }, (_, index) => [index + 1, 'delivered', null]),
        ),
      );
      expect(fixture.received.map(({ alert }) => alert).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
    });
  });
});

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`webhooks across processes on one ${mongo?.name}`, AT_ONCE, () => {
  const open = () => mongo?.open() as Promise<TestDatabase>;

  test('three processes share the work, and every alert reaches every webhook exactly once', async (context) => {
    const { expect } = context;
    const { opened, kit: fixture, database } = await openFixture(open, context);
    const { keyId } = await issueEnterpriseKey(database);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const webhooks = [];
    for (const name of names) webhooks.push(await register(database, keyId, fixture.url(name, 5)));
    const services = [1, 2, 3].map(() => fixture.start(opened.url, { LOG_LEVEL: 'debug' }));
    await Promise.all(services.map((service) => service.logged(STARTED)));

    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const id of ids) await database.alerts.append(alertOf({ id }));

    for (const webhook of webhooks)
      await eventually(async () =>
        expect(await logOf(database, webhook)).toEqual(ids.map((id) => [id, 'delivered', null])),
      );
    for (const name of names) {
      const came = fixture.received.filter(({ path }) => path === `/${name}`).map(({ alert }) => alert);
      expect(came.toSorted((a, b) => a - b)).toEqual(ids);
    }
    expect(services.map((service) => service.output()).join('')).not.toContain('whsec_');
  });

  test('with the database away no outcome is lost, and nothing is sent twice', async (context) => {
    const { expect } = context;
    const { opened, kit: fixture, database } = await openFixture(open, context);
    const { hostname, port, pathname } = new URL(opened.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const throughProxy = withDatabaseName(`mongodb://127.0.0.1:${proxy.port}/`, pathname.slice(1));
    const { keyId } = await issueEnterpriseKey(database);
    const webhook = await register(database, keyId, fixture.url('slow', 1_500));
    const service = fixture.start(
      `${throughProxy}${throughProxy.includes('?') ? '&' : '?'}directConnection=true`,
    );
    await service.logged(STARTED);

    for (let id = 1; id <= 5; id++) await database.alerts.append(alertOf({ id }));
    await eventually(() => expect(fixture.received).toHaveLength(5));
    proxy.cut();
    for (let id = 6; id <= 8; id++) await database.alerts.append(alertOf({ id }));
    await eventually(() => expect(fixture.answered()).toBe(5));
    await eventually(() => expect(proxy.refused).toBeGreaterThanOrEqual(MANY_TRIES));
    proxy.mend();

    await eventually(async () =>
      expect(await logOf(database, webhook)).toEqual(
        Array.from({ length: 8 }, (_, index) => [index + 1, 'delivered', null]),
      ),
    );
    expect(fixture.received.map(({ alert }) => alert).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    await service.end('SIGTERM');
    await proxy.close();
  });
});
