import { expect, test, vi } from 'vitest';
import { START } from '../../support/rows.ts';
import { DELIVERED, fakeSender, ODD, openDesk } from './delivery-desk.ts';

const HOUR = 3_600_000;

async function openDeskWithWebhook() {
  const desk = await openDesk();
  await desk.key({ id: 'key_a' });
  await desk.webhook({ id: 'wh_a' });
  return desk;
}

test('design, history: “a live trade found late is published everywhere”, however old it is', async () => {
  const desk = await openDeskWithWebhook();
  const sender = fakeSender();
  await desk.engine(sender);
  await desk.publish({ id: 1, createdAt: START - 2 * HOUR });
  await vi.waitFor(async () => expect(await desk.states('wh_a')).toEqual(['delivered']));
  expect(sender.sent).toHaveLength(1);
});

test('what was cancelled counts for nothing', async () => {
  const desk = await openDeskWithWebhook();
  const { deliveries, webhooks } = desk.database;
  const claim: typeof deliveries.claim = async (...args) => {
    await webhooks.update('key_a', 'wh_a', { isPaused: true });
    return deliveries.claim(...args);
  };
  await desk.engine(fakeSender(), { deliveries: { ...deliveries, claim } });
  await desk.publish({ id: 1 });
  await vi.waitFor(async () => expect(await desk.states('wh_a')).toEqual(['cancelled']));
  await desk.pass(2_000);
  expect(await webhooks.byIds(['wh_a'])).toMatchObject([{ delivered: 0, failed: 0 }]);
});

test('what waits for a webhook that was deleted is cancelled', async () => {
  const desk = await openDeskWithWebhook();
  const { deliveries, webhooks } = desk.database;
  const dead = { ...deliveries, claim: () => new Promise<never>(() => {}) };
  await desk.engine(fakeSender(), { closes: false, deliveries: dead });
  await desk.publish({ id: 1 });
  await vi.waitFor(async () => expect(await desk.states('wh_a')).toEqual(['pending']));
  await webhooks.remove('key_a', 'wh_a');
  await desk.engine(fakeSender());
  await desk.pass(7_000);
  await vi.waitFor(async () => expect(await desk.states('wh_a')).toEqual(['cancelled']));
});

test('a fault of the sender leaves “unknown”: nobody knows what the receiver has got', async () => {
  const desk = await openDeskWithWebhook();
  await desk.engine(fakeSender(() => Promise.reject(new Error('a fault of ours'))));
  await desk.publish({ id: 1 });
  await vi.waitFor(async () => expect(await desk.states('wh_a')).toEqual(['unknown']));
});

test.each([
  ['when it may be taken for that of a dead process', 46_000, false],
  ['when its process has closed', 2_000, true],
])('a claim that is answered %s is not sent', async (_, lateMs, closes) => {
  const desk = await openDeskWithWebhook();
  const { deliveries } = desk.database;
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const claim: typeof deliveries.claim = async (...args) => {
    const own = await deliveries.claim(...args);
    asked.resolve();
    await answer.promise;
    return own;
  };
  const sender = fakeSender();
  const engine = await desk.engine(sender, { closes: false, deliveries: { ...deliveries, claim } });
  await desk.publish({ id: 1 });
  await asked.promise;
  const closing = closes ? engine.close() : null;
  await desk.clock.advance(lateMs);
  answer.resolve();
  await closing;
  await vi.waitFor(() => expect(engine.status().inFlight).toBe(0));
  expect(sender.sent).toEqual([]);
  await engine.close();
});

test('a stored address that is none keeps nobody from being sent to', async () => {
  const desk = await openDesk();
  await desk.key({ id: 'key_a' });
  await desk.webhook({ id: 'wh_odd', url: 'https://127.0.0.256/hook' });
  await desk.webhook({ id: 'wh_well' });
  const sender = fakeSender(({ url }) => (url.includes('256') ? ODD : DELIVERED));
  await desk.engine(sender);

  await desk.publish(...Array.from({ length: 20 }, (_, index) => ({ id: index + 1 })));

  await vi.waitFor(async () =>
    expect([...(await desk.states('wh_well')), ...(await desk.states('wh_odd'))]).toEqual([
      ...Array(20).fill('delivered'),
      ...Array(20).fill('failed'),
    ]),
  );
  await vi.waitFor(async () =>
    expect(await desk.told()).toMatchObject([{ facts: { failures: 20, url: '' } }]),
  );
});
