import { describe, expect, test, vi } from 'vitest';
import { settlementDraft } from '../../../../src/core/alerts/ledger/log-drafts.ts';
import { deliveryId } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { exitOf, settlementOf } from '../../../support/alerts.ts';
import { fakeSender } from '../../../support/fake-sender.ts';
import { appendDrafts } from '../../../support/log-entries.ts';
import { START } from '../../../support/rows.ts';
import { storeExits } from '../../../support/stored.ts';
import { type DeliveryFixture, openDeliveryFixture, openWithWebhook } from './delivery-fixture.ts';

async function settle({ database, clock }: DeliveryFixture, marketId: string, at = clock.now()) {
  const last = await database.log.last();
  const before = last && { log: last };
  await appendDrafts(database.log, [settlementDraft(settlementOf({ marketId }), at, before)]);
}

describe('outcomes', () => {
  test('are sent once to the webhooks that want outcomes and an alert of the market, and to no other', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    const events = ['alert', 'outcome'] as const;
    await fixture.webhook({ id: 'wh_all', events });
    await fixture.webhook({ id: 'wh_only', events: ['outcome'] });
    await fixture.webhook({ id: 'wh_alerts' });
    await fixture.webhook({ id: 'wh_tech', events, categories: ['tech'] });
    await fixture.webhook({ id: 'wh_sells', events, filters: { side: 'SELL' } });
    const sender = fakeSender();
    await fixture.engine(sender);
    await fixture.publish(
      { id: 1 },
      { id: 2, marketId: '0xm2', side: 'SELL' },
      { id: 3, isHistory: true, marketId: '0xm3' },
    );
    for (const marketId of ['0xm3', '0xm1', '0xm2', '0xm4']) await settle(fixture, marketId);

    await fixture.pass(3_000);
    await vi.waitFor(() => expect(sender.sent).toHaveLength(10));

    const outcomes = sender.sent.filter(({ id }) => id.includes('outcome')).map(({ id, body }) => [id, body]);
    const bodies = ['{"outcome":2,"alerts":[1]}', '{"outcome":3,"alerts":[2]}'] as const;
    expect(outcomes.toSorted()).toEqual(
      [
        [deliveryId('wh_all', 'outcome_2'), bodies[0]],
        [deliveryId('wh_only', 'outcome_2'), bodies[0]],
        [deliveryId('wh_all', 'outcome_3'), bodies[1]],
        [deliveryId('wh_only', 'outcome_3'), bodies[1]],
        [deliveryId('wh_sells', 'outcome_3'), bodies[1]],
      ].toSorted(),
    );
    expect(await fixture.log('wh_only')).toMatchObject([
      { outcome: 3, alertId: null, state: 'delivered' },
      { outcome: 2, alertId: null, state: 'delivered' },
    ]);
    await vi.waitFor(async () =>
      expect(await fixture.database.webhooks.byIds(['wh_only'])).toMatchObject([{ delivered: 2 }]),
    );
  });

  test('from before the first start are not sent, and those of a stop are: only of these what is too old expires', async () => {
    const fixture = await openWithWebhook({ events: ['outcome'] });
    await fixture.publish({ id: 1 });
    await settle(fixture, '0xm1');
    const first = await fixture.engine(fakeSender(), { closes: false });
    await fixture.pass(2_000);
    await first.close();
    expect(await fixture.log('wh_a')).toEqual([]);

    const old = fixture.clock.now() - 11 * 60_000;
    await settle(fixture, '0xm1');
    await settle(fixture, '0xm1', old);
    const sender = fakeSender();
    await fixture.engine(sender);
    await settle(fixture, '0xm1', old);
    await fixture.pass(5_000);

    await vi.waitFor(async () =>
      expect((await fixture.log('wh_a')).map(({ outcome, state }) => [outcome, state]).toSorted()).toEqual([
        [2, 'delivered'],
        [3, 'expired'],
        [4, 'delivered'],
      ]),
    );
    expect(sender.sent).toHaveLength(2);
  });

  test('a webhook gets no outcome from before it was created', async () => {
    const fixture = await openWithWebhook();
    await fixture.publish({ id: 1 });
    await fixture.engine(fakeSender());
    await settle(fixture, '0xm1');
    await fixture.pass(2_000);

    await fixture.webhook({ id: 'wh_b', events: ['outcome'] });
    await settle(fixture, '0xm1');
    await fixture.pass(2_000);

    await vi.waitFor(async () => expect(await fixture.log('wh_b')).toMatchObject([{ outcome: 2 }]));
  });
});

test('exits are sent once to the webhooks that want exits and the newest alert of the thread', async () => {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  await fixture.webhook({ id: 'wh_exits', events: ['exit'] });
  await fixture.webhook({ id: 'wh_tech', events: ['alert', 'exit'], categories: ['tech'] });
  await fixture.webhook({ id: 'wh_outcomes', events: ['alert', 'outcome'] });
  const sender = fakeSender();
  await fixture.engine(sender);
  await fixture.publish({ id: 1 }, { id: 2, category: 'tech' });
  const createdAt = fixture.clock.now();
  await storeExits(
    fixture.database,
    exitOf({ number: 1, alertIds: [1], createdAt }),
    exitOf({ number: 2, alertIds: [1, 2], createdAt }),
    exitOf({ number: 3, alertIds: [2], createdAt, isHistory: true }),
  );
  await fixture.pass(3_000);
  const exits = () => sender.sent.filter(({ id }) => id.includes('exit')).map(({ id, body }) => [id, body]);
  await vi.waitFor(() => expect(exits()).toHaveLength(3));
  expect(exits().toSorted()).toEqual(
    [
      [deliveryId('wh_exits', 'exit_1'), '{"exit":1}'],
      [deliveryId('wh_exits', 'exit_2'), '{"exit":2}'],
      [deliveryId('wh_tech', 'exit_2'), '{"exit":2}'],
    ].toSorted(),
  );
  expect(await fixture.log('wh_exits')).toMatchObject([
    { exit: 2, alertId: null },
    { exit: 1, alertId: null },
  ]);
});

test('a delivery that is made late has the alert as it was published', async () => {
  const fixture = await openWithWebhook();
  await fixture.publish({
    id: 1,
    resolution: { payout: 1, won: true, profitUsdc: 3_000 },
    log: { seq: 1, hash: 'a'.repeat(64) },
  });
  const row = { id: 'msg_1_a', webhookId: 'wh_a', alertId: 1, state: 'pending', createdAt: START } as const;
  await fixture.database.deliveries.add([{ ...row, finishedAt: null, result: null }]);
  const sender = fakeSender();
  await fixture.engine(sender, { serialise: ({ resolution }) => JSON.stringify(resolution) });
  await fixture.pass(7_000);
  await vi.waitFor(() => expect(sender.sent.map(({ body }) => body)).toEqual(['null']));
});
