import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../../../src/core/base/time/duration.ts';
import { DELIVERY_QUEUE_LIMITS } from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { BROKEN, DELIVERED, fakeSender, heldSender, ODD, SILENT } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { withMethods } from '../../../support/with-methods.ts';
import { fragile, numbered, openDeliveryFixture, openWithWebhook } from './delivery-fixture.ts';

test('history: “a live trade found late is published everywhere”, however old it is', async () => {
  const fixture = await openWithWebhook();
  const sender = fakeSender();
  await fixture.engine(sender);
  await fixture.publish({ id: 1, createdAt: START - 2 * HOUR_MS });
  await fixture.become('delivered');
  expect(sender.sent).toHaveLength(1);
});

test('what waits for a webhook that was deleted is cancelled', async () => {
  const fixture = await openWithWebhook();
  const { deliveries, webhooks } = fixture.database;
  const dead = withMethods(deliveries, { claim: () => new Promise<never>(() => {}) });
  await fixture.engine(fakeSender(), { closes: false, deliveries: dead });
  await fixture.publish({ id: 1 });
  await fixture.become('pending');
  await webhooks.remove('key_a', 'wh_a');
  await fixture.engine(fakeSender());
  await fixture.pass(7_000);
  await fixture.become('cancelled');
});

test.each([
  ['after 45 seconds, when it may soon be taken for lost,', 46_000, false],
  ['when its process has closed', 2_000, true],
])('a claim that is answered %s is not sent', async (_, lateMs, closes) => {
  const fixture = await openWithWebhook();
  const { deliveries } = fixture.database;
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const claim: typeof deliveries.claim = async (...args) => {
    const own = await deliveries.claim(...args);
    asked.resolve();
    await answer.promise;
    return own;
  };
  const sender = fakeSender();
  const engine = await fixture.engine(sender, {
    closes: false,
    deliveries: withMethods(deliveries, { claim }),
  });
  await fixture.publish({ id: 1 });
  await asked.promise;
  const closing = closes ? engine.close() : null;
  await fixture.clock.advance(lateMs);
  answer.resolve();
  await closing;
  await vi.waitFor(() => expect(engine.status().inFlight).toBe(0));
  expect(sender.sent).toEqual([]);
  await engine.close();
});

test.each([
  ['ten minutes is sent', 600_000, 'delivered'],
  ['longer is not sent, even before the next sweep', 600_001, 'expired'],
])('what waits for a slot for %s', async (_, waitMs, end) => {
  const fixture = await openWithWebhook();
  const { sender, letGo } = heldSender();
  const limits = { ...DELIVERY_QUEUE_LIMITS, inFlightPerHost: 1 };
  const engine = await fixture.engine(sender, { limits });
  await fixture.publish({ id: 1 }, { id: 2 });
  await vi.waitFor(() => expect(engine.status()).toMatchObject({ inFlight: 1, waiting: 1 }));

  fixture.clock.set(waitMs);
  letGo();
  await vi.waitFor(() => expect(engine.status()).toMatchObject({ inFlight: 0, waiting: 0 }));

  expect(sender.sent).toHaveLength(end === 'delivered' ? 2 : 1);
  await fixture.pass(5_000);
  await fixture.become('delivered', end);
});

test('an invalid stored address stops no other delivery', async () => {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  await fixture.webhook({ id: 'wh_odd', url: 'https://127.0.0.256/hook' });
  await fixture.webhook({ id: 'wh_well' });
  const sender = fakeSender(({ url }) => (url.includes('256') ? ODD : DELIVERED));
  await fixture.engine(sender);

  await fixture.publish(...numbered(20));

  await vi.waitFor(async () =>
    expect([...(await fixture.states('wh_well')), ...(await fixture.states('wh_odd'))]).toEqual([
      ...Array(20).fill('delivered'),
      ...Array(20).fill('failed'),
    ]),
  );
  await vi.waitFor(async () =>
    expect(await fixture.told()).toMatchObject([{ facts: { failures: 20, url: '' } }]),
  );
});

describe('counts and messages to owners', () => {
  test('after 20 failures in a row the owner gets one message; again only after a success and 20 more', async () => {
    const fixture = await openWithWebhook();
    let answer = BROKEN;
    let published = 0;
    const warn = vi.fn();
    await fixture.engine(
      fakeSender(() => answer),
      { logger: { ...silentLogger, warn } },
    );
    const fail = async (times: number) => {
      for (const last = published + times; published < last; ) {
        published += 1;
        await fixture.publish({ id: published });
      }
      await vi.waitFor(async () => {
        const [webhook] = await fixture.database.webhooks.byIds(['wh_a']);
        expect((webhook?.failed ?? 0) + (webhook?.delivered ?? 0)).toBe(published);
      });
    };

    await fail(19);
    expect(await fixture.told()).toEqual([]);
    await fail(16);
    expect(await fixture.told()).toMatchObject([
      {
        id: 'webhook_failing:wh_a:0',
        recipient: 'key:key_a',
        kind: 'webhook_failing',
        facts: { webhookId: 'wh_a', url: 'https://wh_a.example.com/hook' },
      },
    ]);
    answer = DELIVERED;
    await fail(1);
    answer = BROKEN;
    await fail(19);
    expect(await fixture.told()).toHaveLength(1);
    await fail(1);

    await vi.waitFor(async () =>
      expect((await fixture.told()).map(({ id }) => id)).toEqual([
        'webhook_failing:wh_a:0',
        'webhook_failing:wh_a:1',
      ]),
    );
    expect(warn).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('token');
  });

  test('an engine that closes before the message could be stored reports no fault of its own', async () => {
    const fixture = await openWithWebhook({ failuresInRow: 19 });
    const notifyOwner = vi.fn(() => Promise.reject(new Error('away')));
    const error = vi.fn();
    const logger = { ...silentLogger, error };
    const engine = await fixture.engine(
      fakeSender(() => BROKEN),
      { notifyOwner, logger, closes: false },
    );
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(notifyOwner).toHaveBeenCalled());

    await fixture.close(engine);

    expect(await fixture.states('wh_a')).toEqual(['failed']);
    expect(error).not.toHaveBeenCalled();
  });
});

describe('end', () => {
  test('what is being sent ends and is stored, what waits stays for the next start', async () => {
    const fixture = await openWithWebhook();
    const { sender, letGo } = heldSender();
    const warn = vi.fn();
    const engine = await fixture.engine(sender, { closes: false, logger: { ...silentLogger, warn } });
    await fixture.publish(...numbered(20));
    await vi.waitFor(() => expect(sender.sent).toHaveLength(16));
    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toHaveLength(20));

    const closing = engine.close();
    letGo();
    await closing;

    expect((await fixture.states('wh_a')).toSorted()).toEqual([
      ...Array.from({ length: 16 }, () => 'delivered'),
      ...Array.from({ length: 4 }, () => 'pending'),
    ]);
    expect([sender.sent.length, fixture.clock.sleepers]).toEqual([16, 0]);
    expect(warn).not.toHaveBeenCalled();
    const next = fakeSender();
    await fixture.engine(next);
    await fixture.pass(7_000);
    await vi.waitFor(() => expect(next.sent).toHaveLength(4));
  });

  test('takes at most 9 s with the database away; what it could not store is unknown at the next start', async () => {
    const fixture = await openWithWebhook();
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const { sender, letGo } = heldSender(SILENT);
    const warn = vi.fn();
    const logger = { ...silentLogger, warn };
    const engine = await fixture.engine(sender, { closes: false, deliveries, logger });
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));

    set('away');
    const closing = engine.close();
    letGo();
    let isClosed = false;
    void closing.then(() => {
      isClosed = true;
    });
    for (let second = 0; second < 9; second += 1) await fixture.clock.advance(1_000);
    await vi.waitFor(() => expect(isClosed).toBe(true));
    expect(warn).toHaveBeenCalledWith({ deliveries: 1 }, expect.any(String));

    await fixture.engine(fakeSender());
    await fixture.pass(65_000);
    await fixture.become('unknown');
  });
});
