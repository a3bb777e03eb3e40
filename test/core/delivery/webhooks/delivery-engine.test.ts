import { describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import { BROKEN, DELIVERED, fakeSender } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { withMethods } from '../../../support/with-methods.ts';
import { type DeliveryFixture, numbered, openDeliveryFixture, openWithWebhook } from './delivery-fixture.ts';

describe('what is sent', () => {
  test('an alert goes to webhooks of existing keys whose categories and min_signal it passes (contract, Webhook delivery)', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_all' });
    await fixture.webhook({ id: 'wh_tech', categories: ['tech', 'crypto'] });
    await fixture.webhook({ id: 'wh_politics', categories: ['politics'] });
    await fixture.webhook({ id: 'wh_high', minScore: 80 });
    await fixture.webhook({ id: 'wh_equal', minScore: 72 });
    await fixture.webhook({ id: 'wh_paused', isPaused: true });
    await fixture.webhook({ id: 'wh_orphan', keyId: 'key_none' });
    const sender = fakeSender();
    await fixture.engine(sender);

    await fixture.publish({ id: 1, category: 'politics', score: 72 });

    await vi.waitFor(() => expect(sender.sent).toHaveLength(3));
    expect(sender.sent.map(({ id }) => id).toSorted()).toEqual([
      'msg_1_all',
      'msg_1_equal',
      'msg_1_politics',
    ]);
    expect(sender.sent[0]).toEqual({
      id: 'msg_1_all',
      url: 'https://wh_all.example.com/hook?token=secret',
      format: 'json',
      body: JSON.stringify({ id: 1, event_title: 'Will the measure pass?' }),
      secrets: ['secret 1 of wh_all'],
    });
    await vi.waitFor(async () => expect(await fixture.states('wh_all')).toEqual(['delivered']));
    expect(await fixture.log('wh_all')).toMatchObject([{ alertId: 1, result: DELIVERED, finishedAt: START }]);
  });

  test('nothing is sent while webhooks are paused, and what waits less than ten minutes is sent when they are resumed', async () => {
    const fixture = await openWithWebhook();
    const sender = fakeSender();
    let isPaused = true;
    await fixture.engine(sender, { isPaused: () => isPaused });
    await fixture.publish({ id: 1 });
    await fixture.pass(11 * MINUTE_MS);
    await fixture.publish({ id: 2, tradedAt: fixture.clock.now(), createdAt: fixture.clock.now() });
    await fixture.pass(MINUTE_MS);
    expect(sender.sent).toEqual([]);

    isPaused = false;
    await fixture.pass(2_000);

    await fixture.become('expired', 'delivered');
    expect(sender.sent.map(({ id }) => id)).toEqual(['msg_2_a']);
  });

  test.for([
    ['its key is lowered', (fixture: DeliveryFixture) => fixture.database.keys.setTier('key_a', 'pro', null)],
    ['its key is revoked', (fixture: DeliveryFixture) => fixture.database.keys.revoke('key_a', START)],
    [
      'it is paused',
      (fixture: DeliveryFixture) => fixture.database.webhooks.update('key_a', 'wh_a', { isPaused: true }),
    ],
    ['it is removed', (fixture: DeliveryFixture) => fixture.database.webhooks.remove('key_a', 'wh_a')],
  ] as const)('a delivery whose row is made is cancelled when %s before it is sent', async ([, change]) => {
    const fixture = await openWithWebhook();
    const { deliveries } = fixture.database;
    const claim: typeof deliveries.claim = async (...args) => {
      await change(fixture);
      return deliveries.claim(...args);
    };
    const sender = fakeSender();
    await fixture.engine(sender, { deliveries: withMethods(deliveries, { claim }) });

    await fixture.publish({ id: 1 });

    await fixture.become('cancelled');
    await fixture.pass(2_000);
    expect(sender.sent).toEqual([]);
    const [webhook = { delivered: 0, failed: 0 }] = await fixture.database.webhooks.byIds(['wh_a']);
    expect(webhook).toMatchObject({ delivered: 0, failed: 0 });
  });
});

describe('places', () => {
  test.each([
    ['answered, with whatever status, has all its places', BROKEN, 16],
    ['broke the connection has two places', { ...BROKEN, status: null, error: 'reset' } as const, 2],
    ['was too slow has two places', { ...BROKEN, error: 'timeout' } as const, 2],
  ])('a receiver that %s', async (_, result, places) => {
    const fixture = await openWithWebhook();
    const ends: (() => void)[] = [];
    const sender = fakeSender(() => new Promise((resolve) => ends.push(() => resolve(result))));
    const engine = await fixture.engine(sender, { closes: false });
    await fixture.publish(...numbered(40));
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ inFlight: 16, waiting: 24 }));

    for (const end of ends.splice(0)) end();

    const after = { inFlight: places, waiting: 24 - places };
    await vi.waitFor(() => expect([ends.length, engine.status()]).toMatchObject([places, after]));
    const closing = engine.close();
    for (const end of ends.splice(0)) end();
    await closing;
  });
});
