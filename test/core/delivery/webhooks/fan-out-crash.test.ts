import { expect, test, vi } from 'vitest';
import { fakeSender, openDeliveryFixture } from './delivery-fixture.ts';
import { mortal } from './mortal-stores.ts';

const WEBHOOKS = 12;
/** An alert to all webhooks takes three full writes. */
const fanOutBatchSize = 4;

test('killed at any call of a store, the process that makes the deliveries leaves none out and none twice', async () => {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  const webhooks = Array.from({ length: WEBHOOKS }, (_, index) => `wh_${index}`);
  for (const id of webhooks) await fixture.webhook({ id });
  const { deliveries } = fixture.database;
  const states = async (alert: number) => {
    const logs = await Promise.all(webhooks.map((id) => deliveries.list(id, { limit: 1_000 })));
    return logs.flatMap((log) => log.filter(({ alertId }) => alertId === alert).map(({ state }) => state));
  };
  const isOver = async (alert: number) =>
    (await states(alert)).filter((state) => state !== 'pending' && state !== 'claimed').length === WEBHOOKS;

  let calls = 0;
  for (let isKilled = true; isKilled; ) {
    calls += 1;
    const { stores, killAfter, isDead } = mortal(fixture.database);
    const senders = [fakeSender(), fakeSender()] as const;
    const [owner, alert] = [`dead ${calls}`, calls];
    await fixture.engine(senders[0], { ...stores, owner, fanOutBatchSize, closes: false });
    killAfter(calls);
    await fixture.publish({ id: alert });
    await vi.waitFor(async () => expect(isDead() || (await isOver(alert))).toBe(true), 20_000);
    isKilled = isDead();
    killAfter(0);
    const isGone = (name: string) => name.startsWith('dead');
    const next = await fixture.engine(senders[1], { isGone, fanOutBatchSize, closes: false });
    for (let second = 0; second < 20 && !(await isOver(alert)); second += 1) await fixture.pass(1_000);
    await next.close();

    const ended = await states(alert);
    const sent = senders.flatMap((sender) => sender.sent.map(({ id }) => id));
    expect([ended.length, new Set(sent).size], `killed at call ${calls}`).toEqual([WEBHOOKS, sent.length]);
    for (const state of ended) expect(['delivered', 'unknown'], `killed at call ${calls}`).toContain(state);
    expect(sent.length).toBeGreaterThanOrEqual(ended.filter((state) => state === 'delivered').length);
  }
  expect(calls).toBeGreaterThan(15);
}, 60_000);
