import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AttemptResults } from '../../../../src/core/delivery/webhooks/attempt-results.ts';
import type { Deliveries } from '../../../../src/core/delivery/webhooks/deliveries.ts';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { StoreCalls } from '../../../../src/core/delivery/webhooks/delivery-engine-options.ts';
import { Dispatch } from '../../../../src/core/delivery/webhooks/dispatch.ts';
import { MessageMaker } from '../../../../src/core/delivery/webhooks/message-maker.ts';
import type { WebhookCounts } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { DELIVERED, fakeSender } from '../../../support/fake-sender.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import { withMethods } from '../../../support/with-methods.ts';
import { numbered, openDeliveryFixture, openWithWebhook } from './delivery-fixture.ts';

const WAITING = { webhookId: 'wh_a', alertId: 1, createdAt: START, finishedAt: null, result: null } as const;
const ENDED = { ...WAITING, state: 'delivered', finishedAt: START, result: DELIVERED } as const;

async function openResults(finish?: Deliveries['finish']) {
  const fixture = await openDeliveryFixture();
  const { deliveries, webhooks } = fixture.database;
  const finished = vi.fn<Deliveries['finish']>(async (rows) => rows.map(({ id }) => id));
  const addCounts = vi.fn(async (_: readonly WebhookCounts[]) => []);
  const claim = vi.fn(async () => []);
  const deliveryEnded = vi.fn();
  const options = fixture.options(fakeSender(), {
    deliveries: withMethods(deliveries, { finish: finish ?? finished, claim }),
    webhooks: withMethods(webhooks, { addCounts }),
    metrics: { ...noMetrics, deliveryEnded },
  });
  const calls = new StoreCalls(options);
  const results = new AttemptResults(options, calls, () => {});
  const dispatch = new Dispatch(options, calls, new MessageMaker(options), results);
  return { results, dispatch, finished, addCounts, claim, deliveryEnded };
}

test('what has not ended, was cancelled or was a test is not counted; the end of each is in the metrics', async () => {
  const { results, addCounts, deliveryEnded } = await openResults();
  const row = (state: Delivery['state'], alertId: number | null = 1) => ({
    ...ENDED,
    id: 'msg',
    alertId,
    state,
  });
  results.count([row('pending'), row('claimed'), row('cancelled'), row('delivered', null)]);
  await results.written();
  expect(addCounts).not.toHaveBeenCalled();
  expect(deliveryEnded.mock.calls.flat()).toEqual(['cancelled', 'delivered']);

  const states = ['failed', 'delivered', 'failed', 'pending', 'expired', 'failed', 'unknown'] as const;
  results.count([...states.map((state) => row(state)), row('failed', null)]);
  await results.written();
  expect(addCounts.mock.calls).toEqual([[[{ id: 'wh_a', delivered: 1, failed: 5, failuresAtEnd: 2 }]]]);
});

test('500 results are written at a time, each once', async () => {
  const { results, finished } = await openResults();
  for (const { id } of numbered(1_200)) results.add({ ...ENDED, id: `msg_${id}` });
  await results.written();

  const sizes = finished.mock.calls.map(([rows]) => rows.length);
  expect(Math.max(...sizes)).toBe(500);
  const written = finished.mock.calls.flatMap(([rows]) => rows.map(({ id }) => id));
  expect([written.length, new Set(written).size, results.size]).toEqual([1_200, 1_200, 0]);
});

const UNWRITTEN_MAX = 2_048;

test.each([
  ['2,047 results are not written, deliveries are claimed', UNWRITTEN_MAX - 1, 1],
  ['2,048 results are not written, nothing is claimed', UNWRITTEN_MAX, 0],
])('while %s', async (_, unwritten, claims) => {
  const { results, dispatch, claim } = await openResults(() => new Promise<never>(() => {}));
  for (const { id } of numbered(unwritten)) results.add({ ...ENDED, id: `msg_${id}` });
  dispatch.enqueue([{ ...WAITING, state: 'pending', id: 'msg_next', host: 'a', keyId: 'key_a' }]);
  await dispatch.stop();
  expect(claim).toHaveBeenCalledTimes(claims);
});

test('claims of a process never overlap, also when deliveries are added during one', async () => {
  const fixture = await openWithWebhook();
  const { deliveries } = fixture.database;
  let [claiming, most] = [0, 0];
  const claim: typeof deliveries.claim = async (...args) => {
    claiming += 1;
    most = Math.max(most, claiming);
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    claiming -= 1;
    return deliveries.claim(...args);
  };
  const sender = fakeSender();
  await fixture.engine(sender, { deliveries: withMethods(deliveries, { claim }) });

  for (const id of [1, 2, 3, 4, 5]) {
    await fixture.publish({ id });
    await setImmediate();
  }

  await vi.waitFor(() => expect(sender.sent).toHaveLength(5));
  expect(most).toBe(1);
});
