import { expect, test, vi } from 'vitest';
import { outcomeDeliveryId } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { appendDrafts } from '../../../support/log-entries.ts';
import { fakeSender, openDeliveryFixture } from './delivery-fixture.ts';
import { mortal } from './mortal-stores.ts';

const WEBHOOKS = ['wh_a', 'wh_b', 'wh_c'];
const EVENTS = ['outcome'] as const;
const DONE = ['delivered', 'unknown'];

test('killed at any call of a store, the process that delivers outcomes and repetitions leaves none out and sends none twice', async () => {
  const fixture = await openDeliveryFixture();
  const { deliveries, log } = fixture.database;
  await fixture.key({ id: 'key_a' });
  for (const id of WEBHOOKS) await fixture.webhook({ id, events: EVENTS });
  await fixture.publish({ id: 1 });
  await deliveries.advance(0, 'outcomes');

  let calls = 0;
  for (let isKilled = true; isKilled; ) {
    calls += 1;
    const body = { market_id: '0xm1', outcomes: ['Yes', 'No'], payouts: [calls % 2, 1 - (calls % 2)] };
    await appendDrafts(log, [{ kind: 'correction', subject: 'market:0xm1', at: fixture.clock.now(), body }]);
    const ended = {
      alertId: null,
      outcome: calls,
      createdAt: fixture.clock.now(),
      finishedAt: 1,
      result: null,
    };
    const first = outcomeDeliveryId('wh_z', calls);
    const repeated = { ...ended, id: `${first}.1`, webhookId: 'wh_a', repeats: first, finishedAt: null };
    await deliveries.add([{ ...repeated, state: 'requested' }]);
    const ids = [...WEBHOOKS.map((webhook) => outcomeDeliveryId(webhook, calls)), repeated.id];
    const states = async () => (await deliveries.byIds(ids)).map(({ state }) => state);
    const isOver = async () => {
      const found = await states();
      return found.length === ids.length && found.every((state) => DONE.includes(state));
    };

    const { stores, killAfter, isDead } = mortal(fixture.database);
    const senders = [fakeSender(), fakeSender()] as const;
    killAfter(calls);
    const starting = fixture.engine(senders[0], { ...stores, owner: `dead ${calls}`, closes: false });
    await vi.waitFor(async () => expect(isDead() || (await isOver())).toBe(true), 20_000);
    isKilled = isDead();
    if (!isKilled) await starting;
    killAfter(0);
    const next = await fixture.engine(senders[1], {
      isGone: (name) => name.startsWith('dead'),
      closes: false,
    });
    for (let second = 0; second < 20 && !(await isOver()); second += 1) await fixture.pass(1_000);
    await next.close();

    const sent = senders.flatMap((sender) => sender.sent.map(({ id }) => id));
    expect([await isOver(), new Set(sent).size], `killed at call ${calls}`).toEqual([true, sent.length]);
    const delivered = (await states()).filter((state) => state === 'delivered');
    expect(sent.length, `killed at call ${calls}`).toBeGreaterThanOrEqual(delivered.length);
  }
  expect(calls).toBeGreaterThan(12);
}, 60_000);
