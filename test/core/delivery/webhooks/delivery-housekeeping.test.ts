import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import {
  BROKEN,
  DELIVERED,
  fakeSender,
  fragile,
  heldSender,
  numbered,
  openDeliveryFixture,
  openWithWebhook,
  SILENT,
} from './delivery-fixture.ts';

const DAY = 86_400_000;

describe('counts and messages to owners', () => {
  test('after 20 failures in a row the owner gets one message; again only after a success and 20 more', async () => {
    const fixture = await openWithWebhook();
    let answer = BROKEN;
    let published = 0;
    const warn = vi.fn();
    await fixture.engine(
      fakeSender(() => answer),
      { logger: { ...silentLogger, warn } },
    );
    const fail = async (times: number) => {
      for (const last = published + times; published < last; ) {
        published += 1;
        await fixture.publish({ id: published });
      }
      await vi.waitFor(async () => {
        const [webhook] = await fixture.database.webhooks.byIds(['wh_a']);
        expect((webhook?.failed ?? 0) + (webhook?.delivered ?? 0)).toBe(published);
      });
    };

    await fail(19);
    expect(await fixture.told()).toEqual([]);
    await fail(16);
    expect(await fixture.told()).toMatchObject([
      {
        id: 'webhook_failing:wh_a:0',
        recipient: 'key:key_a',
        kind: 'webhook_failing',
        facts: { webhookId: 'wh_a', url: 'https://wh_a.example.com/hook' },
      },
    ]);
    answer = DELIVERED;
    await fail(1);
    answer = BROKEN;
    await fail(19);
    expect(await fixture.told()).toHaveLength(1);
    await fail(1);

    await vi.waitFor(async () =>
      expect((await fixture.told()).map(({ id }) => id)).toEqual([
        'webhook_failing:wh_a:0',
        'webhook_failing:wh_a:1',
      ]),
    );
    expect(warn).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('token');
  });

  test('an engine that closes before the message could be stored reports no fault of its own', async () => {
    const fixture = await openWithWebhook({ failuresInRow: 19 });
    const notifyOwner = vi.fn(() => Promise.reject(new Error('away')));
    const error = vi.fn();
    const logger = { ...silentLogger, error };
    const engine = await fixture.engine(
      fakeSender(() => BROKEN),
      { notifyOwner, logger, closes: false },
    );
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(notifyOwner).toHaveBeenCalled());

    const closing = engine.close();
    for (let second = 0; second < 9; second += 1) await fixture.clock.advance(1_000);
    await closing;

    expect(await fixture.states('wh_a')).toEqual(['failed']);
    expect(error).not.toHaveBeenCalled();
  });
});

describe('end', () => {
  test('what is being sent ends and is stored, what waits stays for the next start', async () => {
    const fixture = await openWithWebhook();
    const { sender, letGo } = heldSender();
    const warn = vi.fn();
    const engine = await fixture.engine(sender, { closes: false, logger: { ...silentLogger, warn } });
    await fixture.publish(...numbered(20));
    await vi.waitFor(() => expect(sender.sent).toHaveLength(16));
    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toHaveLength(20));

    const closing = engine.close();
    letGo();
    await closing;

    expect((await fixture.states('wh_a')).toSorted()).toEqual([
      ...Array.from({ length: 16 }, () => 'delivered'),
      ...Array.from({ length: 4 }, () => 'pending'),
    ]);
    expect([sender.sent.length, fixture.clock.sleepers]).toEqual([16, 0]);
    expect(warn).not.toHaveBeenCalled();
    const next = fakeSender();
    await fixture.engine(next);
    await fixture.pass(7_000);
    await vi.waitFor(() => expect(next.sent).toHaveLength(4));
  });

  test('waits for an attempt that takes long, and stores its outcome', async () => {
    const fixture = await openWithWebhook();
    const sender = fakeSender(async () => {
      await fixture.clock.sleep(5_000);
      return DELIVERED;
    });
    const engine = await fixture.engine(sender, { closes: false });
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));

    const closing = engine.close();
    for (let second = 0; second < 5; second += 1) {
      await setImmediate();
      await fixture.clock.advance(1_000);
    }
    await closing;

    expect(await fixture.states('wh_a')).toEqual(['delivered']);
  });

  test('takes at most 9 s with the database away; what it could not store is unknown at the next start', async () => {
    const fixture = await openWithWebhook();
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const { sender, letGo } = heldSender(SILENT);
    const warn = vi.fn();
    const logger = { ...silentLogger, warn };
    const engine = await fixture.engine(sender, { closes: false, deliveries, owner: 'first', logger });
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));

    set('away');
    const closing = engine.close();
    letGo();
    let isClosed = false;
    void closing.then(() => {
      isClosed = true;
    });
    for (let second = 0; second < 9; second += 1) await fixture.clock.advance(1_000);
    await vi.waitFor(() => expect(isClosed).toBe(true));
    expect(warn).toHaveBeenCalledWith({ deliveries: 1 }, expect.any(String));

    await fixture.engine(fakeSender(), { isGone: (owner) => owner === 'first' });
    await fixture.become('unknown');
  });
});

describe('retention', () => {
  test('deliveries are kept for 7 days', async () => {
    const fixture = await openDeliveryFixture();
    const { deliveries } = fixture.database;
    const rest = {
      webhookId: 'wh_a',
      alertId: null,
      state: 'delivered',
      finishedAt: START,
      result: DELIVERED,
    } as const;
    const rows = Array.from({ length: 1_203 }, (_, index) => ({
      ...rest,
      id: `msg_${index}`,
      createdAt: START - 7 * DAY + index - 1_200,
    }));
    await deliveries.add(rows);
    await fixture.engine(fakeSender());
    await fixture.clock.asleep();
    for (let step = 0; step < 5; step += 1) await fixture.pass(1_000);

    await vi.waitFor(async () =>
      expect((await fixture.log('wh_a')).map(({ id }) => id)).toEqual(['msg_1202', 'msg_1201', 'msg_1200']),
    );
  });
});
