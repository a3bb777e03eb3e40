import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AttemptResults } from '../../../../src/core/delivery/webhooks/attempt-results.ts';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { StoreCalls } from '../../../../src/core/delivery/webhooks/delivery-engine-options.ts';
import type { DeliveryStore } from '../../../../src/core/delivery/webhooks/delivery-store.ts';
import type { WebhookCounts } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { DELIVERED, openDeliveryFixture } from './delivery-fixture.ts';

async function openOutcomes() {
  const { database, clock } = await openDeliveryFixture();
  const finish = vi.fn<DeliveryStore['finish']>(async (_, rows) => rows.map(({ id }) => id));
  const addCounts = vi.fn(async (_: readonly WebhookCounts[]) => []);
  const deliveryEnded = vi.fn();
  const options = {
    ...database,
    deliveries: { ...database.deliveries, finish },
    webhooks: { ...database.webhooks, addCounts },
    metrics: { ...noMetrics, deliveryEnded },
    notifyOwner: async () => true,
    clock,
    logger: silentLogger,
    isOutcomeUnknown: () => false,
    yieldToLoop: setImmediate,
  };
  const calls = new StoreCalls({ owner: 'engine 1', clock, logger: silentLogger });
  return { outcomes: new AttemptResults(options, calls, () => {}), finish, addCounts, deliveryEnded };
}

const ended = (state: Delivery['state'], alertId: number | null = 1) => ({
  webhookId: 'wh_a',
  alertId,
  state,
});

test('what has not ended, was cancelled or was a test is not counted; the end of each is in the metrics', async () => {
  const { outcomes, addCounts, deliveryEnded } = await openOutcomes();
  outcomes.count([ended('pending'), ended('claimed'), ended('cancelled'), ended('delivered', null)]);
  await outcomes.written();
  expect(addCounts).not.toHaveBeenCalled();
  expect(deliveryEnded.mock.calls.flat()).toEqual(['cancelled', 'delivered']);

  const states = ['failed', 'delivered', 'failed', 'pending', 'expired', 'failed', 'unknown'] as const;
  outcomes.count([...states.map((state) => ended(state)), ended('failed', null)]);
  await outcomes.written();
  expect(addCounts.mock.calls).toEqual([[[{ id: 'wh_a', delivered: 1, failed: 5, failuresAtEnd: 2 }]]]);
});

test('500 outcomes are written at a time, each once', async () => {
  const { outcomes, finish } = await openOutcomes();
  const row = {
    ...ended('delivered'),
    alertId: 1,
    state: 'delivered',
    finishedAt: START,
    result: DELIVERED,
  } as const;
  for (let each = 0; each < 1_200; each += 1) outcomes.add({ ...row, id: `msg_${each}` });
  await outcomes.written();

  const sizes = finish.mock.calls.map(([, rows]) => rows.length);
  expect(Math.max(...sizes)).toBe(500);
  const written = finish.mock.calls.flatMap(([, rows]) => rows.map(({ id }) => id));
  expect([written.length, new Set(written).size, outcomes.size]).toEqual([1_200, 1_200, 0]);
});
