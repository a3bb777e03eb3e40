import { describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { DELIVERY_QUEUE_LIMITS } from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { SWEEP_PAGE_SIZE } from '../../../../src/core/delivery/webhooks/delivery-sweeps.ts';
import { alertOf } from '../../../support/alerts.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import {
  DELIVERED,
  fakeSender,
  heldSender,
  numbered,
  openDeliveryFixture,
  openWithWebhook,
} from './delivery-fixture.ts';

const MINUTE = 60_000;

/** Rows of one alert each that no process has claimed. */
function waitingRows(count: number, change: Partial<Delivery>): readonly Delivery[] {
  const rest = {
    webhookId: 'wh_a',
    state: 'pending',
    createdAt: START,
    finishedAt: null,
    result: null,
  } as const;
  return Array.from({ length: count }, (_, index) => {
    const alertId = index + 1;
    return { id: `msg_${alertId}_a`, alertId, ...rest, ...change };
  });
}

describe('what ends without an answer', () => {
  test('what was being sent when its process died is unknown, and not sent again', async () => {
    const fixture = await openWithWebhook();
    const { sender: hanging } = heldSender();
    await fixture.engine(hanging, { closes: false, owner: 'dead' });
    await fixture.publish({ id: 1 }, { id: 2 });
    await vi.waitFor(() => expect(hanging.sent).toHaveLength(2));

    const sender = fakeSender();
    await fixture.engine(sender, { isGone: (owner) => owner === 'dead' });
    await fixture.pass(10_000);

    await fixture.become('unknown', 'unknown');
    expect(sender.sent).toEqual([]);
    await fixture.counts({ failed: 2, failuresInRow: 0 });
  });

  test('of a process nothing is known of, a claim is unknown after a minute', async () => {
    const fixture = await openWithWebhook();
    const stopped = await openDeliveryFixture(fixture.database);
    const { sender: hanging } = heldSender();
    await stopped.engine(hanging, { closes: false, owner: 'far away' });
    await stopped.publish({ id: 1 });
    await vi.waitFor(() => expect(hanging.sent).toHaveLength(1));
    await fixture.engine(fakeSender());

    await fixture.pass(60_000);
    expect(await fixture.states('wh_a')).toEqual(['claimed']);
    await fixture.pass(5_000);

    await fixture.become('unknown');
  });

  test('what waited for more than ten minutes is expired and not sent', async () => {
    const fixture = await openWithWebhook();
    const { sender, letGo } = heldSender();
    const deliveryEnded = vi.fn();
    const engine = await fixture.engine(sender, { metrics: { ...noMetrics, deliveryEnded } });
    await fixture.publish(...numbered(20));
    await vi.waitFor(() => expect(sender.sent).toHaveLength(16));

    await fixture.pass(10 * MINUTE + 6_000);
    await vi.waitFor(async () =>
      expect((await fixture.states('wh_a')).filter((state) => state === 'expired')).toHaveLength(4),
    );
    expect(engine.status()).toMatchObject({ waiting: 0, inFlight: 16 });
    letGo();

    await vi.waitFor(async () =>
      expect((await fixture.states('wh_a')).filter((state) => state === 'delivered')).toHaveLength(16),
    );
    expect(sender.sent).toHaveLength(16);
    const counts = { delivered: 16, failed: 4 };
    await fixture.counts(counts);
    const ends = deliveryEnded.mock.calls.flat();
    expect(ends).toEqual([...Array(4).fill('expired'), ...Array(16).fill('delivered')]);
  });

  test('a restart continues behind the cursor: what was missed is sent, and what is too old is recorded as expired', async () => {
    const fixture = await openWithWebhook();
    const first = fakeSender();
    const engine = await fixture.engine(first, { closes: false });
    await fixture.publish({ id: 1 });
    await fixture.become('delivered');
    await engine.close();
    const old = START - 10 * MINUTE - 1;
    await fixture.publish({ id: 2, createdAt: old }, { id: 3, createdAt: START - 9 * MINUTE });

    const sender = fakeSender();
    const deliveryEnded = vi.fn();
    await fixture.engine(sender, { metrics: { ...noMetrics, deliveryEnded } });

    await fixture.become('delivered', 'expired', 'delivered');
    expect(sender.sent.map(({ id }) => id)).toEqual(['msg_3_a']);
    const counts = { delivered: 2, failed: 1 };
    await fixture.counts(counts);
    expect(deliveryEnded.mock.calls.flat().toSorted()).toEqual(['delivered', 'expired']);
  });

  test('more rows than a page that are too old end in the first sweep of the next engine', async () => {
    const fixture = await openWithWebhook();
    const createdAt = START - 10 * MINUTE - 1;
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
    const old = { alertId: 1, createdAt: START - MINUTE };
    await fixture.database.deliveries.add(waitingRows(2 * SWEEP_PAGE_SIZE, old));
    const younger = { id: 'msg_1_b', webhookId: 'wh_b', createdAt: START - 10_000 };
    await fixture.database.deliveries.add(waitingRows(1, younger));
    await fixture.database.alerts.append(alertOf({ id: 1 }));
    const sender = fakeSender(({ url }) => (url.includes('wh_a') ? new Promise(() => {}) : DELIVERED));
    const limits = { ...DELIVERY_QUEUE_LIMITS, inFlightPerHost: 1, waitingPerTarget: 1 };
    const engine = await fixture.engine(sender, { limits, closes: false });

    await vi.waitFor(async () => {
      await fixture.clock.advance(1_000);
      expect(await fixture.states('wh_b')).toEqual(['delivered']);
    });
    expect(sender.sent.map(({ url }) => url).filter((url) => url.includes('wh_a'))).toHaveLength(1);
    const closing = engine.close();
    for (let second = 0; second < 9; second += 1) await fixture.clock.advance(1_000);
    await closing;
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

  test('rows of a process that died before it claimed them are found and sent', async () => {
    const fixture = await openWithWebhook();
    const { deliveries } = fixture.database;
    const dead = { ...deliveries, claim: () => new Promise<never>(() => {}) };
    await fixture.engine(fakeSender(), { closes: false, deliveries: dead });
    await fixture.publish({ id: 1 });
    await fixture.become('pending');

    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(() =>
      expect(sender.sent.map(({ id, body }) => [id, JSON.parse(body).id])).toEqual([['msg_1_a', 1]]),
    );
  });
});
