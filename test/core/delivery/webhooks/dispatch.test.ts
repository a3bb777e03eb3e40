import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SettlementReader } from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import { AttemptResults } from '../../../../src/core/delivery/webhooks/attempt-results.ts';
import { StoreCalls } from '../../../../src/core/delivery/webhooks/delivery-engine-options.ts';
import { DeliveryQueue } from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { Attempts, Dispatch } from '../../../../src/core/delivery/webhooks/dispatch.ts';
import { MessageMaker } from '../../../../src/core/delivery/webhooks/message-maker.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { DELIVERED, fakeSender, openDeliveryFixture } from './delivery-fixture.ts';

const UNWRITTEN_MAX = 2_048;

test.each([
  ['2,047 outcomes are not written, deliveries are claimed', UNWRITTEN_MAX - 1, 1],
  ['2,048 outcomes are not written, nothing is claimed', UNWRITTEN_MAX, 0],
])('while %s', async (_, unwritten, claims) => {
  const fixture = await openDeliveryFixture();
  const claim = vi.fn(async () => []);
  const finish = () => new Promise<never>(() => {});
  const options = {
    ...fixture.database,
    deliveries: { ...fixture.database.deliveries, claim, finish },
    clock: fixture.clock,
    logger: silentLogger,
    metrics: noMetrics,
    sender: fakeSender(),
    signingSecrets: async () => [],
    serialise: () => '',
    settlements: new SettlementReader({ log: fixture.database.log, alerts: fixture.database.alerts }),
    serialiseOutcome: () => '',
    notifyOwner: async () => true,
    owner: 'engine 1',
    isOutcomeUnknown: () => false,
    yieldToLoop: setImmediate,
  };
  const calls = new StoreCalls(options);
  const queue = new DeliveryQueue();
  const outcomes = new AttemptResults(options, calls, () => {});
  const [messages, attempts] = [new MessageMaker(options), new Attempts(options, queue, outcomes)];
  const dispatch = new Dispatch(options, { queue, messages, attempts, outcomes, calls });
  const waiting = { webhookId: 'wh_a', alertId: 1, createdAt: START, host: 'a', keyId: 'key_a' };
  const ended = { ...waiting, state: 'delivered', finishedAt: START, result: DELIVERED } as const;
  for (let each = 0; each < unwritten; each += 1) outcomes.add({ ...ended, id: `msg_${each}` });
  queue.enqueue({ ...waiting, id: 'msg_next' });

  dispatch.wake();
  await dispatch.stop();

  expect(claim).toHaveBeenCalledTimes(claims);
});

test('claims of a process never overlap, also when deliveries are added during one', async () => {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  await fixture.webhook({ id: 'wh_a' });
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
  await fixture.engine(sender, { deliveries: { ...deliveries, claim } });

  for (const id of [1, 2, 3, 4, 5]) {
    await fixture.publish({ id });
    await setImmediate();
  }

  await vi.waitFor(() => expect(sender.sent).toHaveLength(5));
  expect(most).toBe(1);
});
