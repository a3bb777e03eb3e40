import { describe, expect, test, vi } from 'vitest';
import { DatabaseTimeout } from '../../../../src/core/base/database-errors.ts';
import { MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { DELIVERY_QUEUE_LIMITS } from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { SWEEP_PAGE_SIZE } from '../../../../src/core/delivery/webhooks/delivery-sweeps.ts';
import { alertOf } from '../../../support/alerts.ts';
import { DELIVERED, fakeSender, heldSender } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { storeAlerts } from '../../../support/stored.ts';
import { withMethods } from '../../../support/with-methods.ts';
import { numbered, openDeliveryFixture, openWithWebhook } from './delivery-fixture.ts';

function waitingRows(count: number, change: Partial<Delivery>): readonly Delivery[] {
  const rest = {
    webhookId: 'wh_a',
    state: 'pending',
    createdAt: START,
    finishedAt: null,
    result: null,
  } as const;
  return numbered(count).map(({ id }) => ({ id: `msg_${id}_a`, alertId: id, ...rest, ...change }));
}

describe('what ends without an answer', () => {
  test('what an earlier worker has claimed is unknown after a minute, and is not sent again', async () => {
    const fixture = await openWithWebhook();
    const stopped = await openDeliveryFixture(fixture.database);
    const { sender: hanging } = heldSender();
    await stopped.engine(hanging, { closes: false });
    await stopped.publish({ id: 1 });
    await vi.waitFor(() => expect(hanging.sent).toHaveLength(1));
    const sender = fakeSender();
    await fixture.engine(sender);

    await fixture.pass(60_000);
    expect(await fixture.states('wh_a')).toEqual(['claimed']);
    await fixture.pass(5_000);

    await fixture.become('unknown');
    expect(sender.sent).toEqual([]);
  });

  test('a claim is not lost while its request is under way here, or its result not written, however long that takes', async () => {
    const fixture = await openWithWebhook();
    const { deliveries } = fixture.database;
    const { sender, letGo } = heldSender();
    let isAway = true;
    const finish: typeof deliveries.finish = async (ends, call) => {
      if (isAway && ends.some(({ state }) => state === 'delivered')) throw new Error('away');
      return deliveries.finish(ends, call);
    };
    await fixture.engine(sender, { deliveries: withMethods(deliveries, { finish }) });
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));

    await fixture.pass(70_000);
    expect(await fixture.states('wh_a')).toEqual(['claimed']);
    letGo();
    await fixture.pass(70_000);
    expect(await fixture.states('wh_a')).toEqual(['claimed']);
    isAway = false;
    await fixture.pass(1_000);

    await fixture.become('delivered');
  });

  test('more rows than a page that are too old end in the first sweep of the next engine', async () => {
    const fixture = await openWithWebhook();
    const createdAt = START - 10 * MINUTE_MS - 1;
    await fixture.database.deliveries.add(waitingRows(2 * SWEEP_PAGE_SIZE, { createdAt }));
    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(async () => expect(new Set(await fixture.states('wh_a'))).toEqual(new Set(['expired'])));
    expect(sender.sent).toEqual([]);
  });

  test('rows for which there is room are found behind pages of others for which there is none', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    for (const id of ['wh_a', 'wh_b']) await fixture.webhook({ id });
    const old = { alertId: 1, createdAt: START - MINUTE_MS };
    await fixture.database.deliveries.add(waitingRows(2 * SWEEP_PAGE_SIZE, old));
    const younger = { id: 'msg_1_b', webhookId: 'wh_b', createdAt: START - 10_000 };
    await fixture.database.deliveries.add(waitingRows(1, younger));
    await storeAlerts(fixture.database, alertOf({ id: 1 }));
    const sender = fakeSender(({ url }) => (url.includes('wh_a') ? new Promise(() => {}) : DELIVERED));
    const limits = { ...DELIVERY_QUEUE_LIMITS, inFlightPerHost: 1, waitingPerWebhook: 1 };
    const engine = await fixture.engine(sender, { limits, closes: false });

    await vi.waitFor(async () => {
      await fixture.clock.advance(1_000);
      expect(await fixture.states('wh_b')).toEqual(['delivered']);
    });
    expect(sender.sent.map(({ url }) => url).filter((url) => url.includes('wh_a'))).toHaveLength(1);
    await fixture.close(engine);
  });

  test('the first engine of a database begins at the end of the ledger, also when it dies before the first alert', async () => {
    const fixture = await openWithWebhook();
    await fixture.publish({ id: 1 });
    await (await fixture.engine(fakeSender(), { closes: false })).close();
    await fixture.publish({ id: 2 });
    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(() => expect(sender.sent.map(({ id }) => id)).toEqual(['msg_2_a']));
  });
});

describe('a database that fails', () => {
  test('when outcomes are counted, and it may have counted them, adds none twice', async () => {
    const fixture = await openWithWebhook();
    const { webhooks } = fixture.database;
    let tallies = 0;
    const tally: typeof webhooks.addCounts = async (given) => {
      await webhooks.addCounts(given);
      tallies += 1;
      throw new DatabaseTimeout('webhooks.tally: outcome unknown');
    };
    await fixture.engine(fakeSender(), { webhooks: withMethods(webhooks, { addCounts: tally }) });

    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(tallies).toBe(1));
    await fixture.pass(10_000);

    expect(await fixture.states('wh_a')).toEqual(['delivered']);
    expect(await webhooks.byIds(['wh_a'])).toMatchObject([{ delivered: 1 }]);
    expect(tallies).toBe(1);
  });
});
