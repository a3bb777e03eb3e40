import { describe, expect, test, vi } from 'vitest';
import { DatabaseTimeout } from '../../../../src/core/base/database-errors.ts';
import { fakeSender, fragile, heldSender, numbered, openWithWebhook } from './delivery-fixture.ts';

describe('a database that fails', () => {
  test.for(['away', 'mute'] as const)('while outcomes are written (%s) loses none of them', async (mode) => {
    const fixture = await openWithWebhook();
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const { sender, letGo } = heldSender();
    await fixture.engine(sender, { deliveries });
    await fixture.publish(...numbered(10));
    await vi.waitFor(() => expect(sender.sent).toHaveLength(10));

    set(mode);
    letGo();
    await fixture.clock.asleep(2);
    await fixture.clock.advance(20_000);
    set('well');
    await fixture.pass(2_000);

    await vi.waitFor(async () =>
      expect(new Set(await fixture.states('wh_a'))).toEqual(new Set(['delivered'])),
    );
    await fixture.counts({ delivered: 10, failed: 0 });
    expect(sender.sent).toHaveLength(10);
  });

  test.for(['away', 'mute'] as const)(
    'while deliveries are claimed (%s) sends each once when it is back',
    async (mode) => {
      const fixture = await openWithWebhook();
      const { deliveries, set } = fragile(fixture.database.deliveries);
      const sender = fakeSender();
      await fixture.engine(sender, { deliveries: { ...deliveries, add: fixture.database.deliveries.add } });

      set(mode);
      await fixture.publish({ id: 1 });
      await fixture.clock.asleep(2);
      await fixture.clock.advance(20_000);
      expect(sender.sent).toEqual([]);
      set('well');
      await fixture.clock.advance(1_000);

      await fixture.become('delivered');
      await fixture.pass(10_000);
      expect(sender.sent).toHaveLength(1);
    },
  );

  test('when outcomes are counted, and it may have counted them, adds none twice', async () => {
    const fixture = await openWithWebhook();
    const { webhooks } = fixture.database;
    let tallies = 0;
    const tally: typeof webhooks.addCounts = async (given) => {
      await webhooks.addCounts(given);
      tallies += 1;
      throw new DatabaseTimeout('webhooks.tally: outcome unknown');
    };
    await fixture.engine(fakeSender(), { webhooks: { ...webhooks, addCounts: tally } });

    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(tallies).toBe(1));
    await fixture.pass(10_000);

    expect(await fixture.states('wh_a')).toEqual(['delivered']);
    expect(await webhooks.byIds(['wh_a'])).toMatchObject([{ delivered: 1 }]);
    expect(tallies).toBe(1);
  });

  test('when rows are made lets none be missed', async () => {
    const fixture = await openWithWebhook();
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const sender = fakeSender();
    await fixture.engine(sender, { deliveries });

    set('mute');
    await fixture.publish({ id: 1 }, { id: 2 });
    await fixture.clock.asleep(2);
    set('well');
    await fixture.pass(10_000);

    await fixture.become('delivered', 'delivered');
    expect(sender.sent.map(({ id }) => id).toSorted()).toEqual(['msg_1_a', 'msg_2_a']);
  });
});
