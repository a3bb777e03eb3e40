import { expect, test, vi } from 'vitest';
import { DELIVERY_QUEUE_LIMITS } from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { START } from '../../../support/rows.ts';
import {
  DELIVERED,
  fakeSender,
  heldSender,
  numbered,
  ODD,
  openDeliveryFixture,
  openWithWebhook,
} from './delivery-fixture.ts';

const HOUR = 3_600_000;

test('history: “a live trade found late is published everywhere”, however old it is', async () => {
  const fixture = await openWithWebhook();
  const sender = fakeSender();
  await fixture.engine(sender);
  await fixture.publish({ id: 1, createdAt: START - 2 * HOUR });
  await fixture.become('delivered');
  expect(sender.sent).toHaveLength(1);
});

test('what waits for a webhook that was deleted is cancelled', async () => {
  const fixture = await openWithWebhook();
  const { deliveries, webhooks } = fixture.database;
  const dead = { ...deliveries, claim: () => new Promise<never>(() => {}) };
  await fixture.engine(fakeSender(), { closes: false, deliveries: dead });
  await fixture.publish({ id: 1 });
  await fixture.become('pending');
  await webhooks.remove('key_a', 'wh_a');
  await fixture.engine(fakeSender());
  await fixture.pass(7_000);
  await fixture.become('cancelled');
});

test('a fault of the sender leaves “unknown”: the receiver may have got the delivery', async () => {
  const fixture = await openWithWebhook();
  await fixture.engine(fakeSender(() => Promise.reject(new Error('an internal fault'))));
  await fixture.publish({ id: 1 });
  await fixture.become('unknown');
});

test.each([
  ['when it may be taken for that of a dead process', 46_000, false],
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
  const engine = await fixture.engine(sender, { closes: false, deliveries: { ...deliveries, claim } });
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
