import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseTimeout } from '../../../../src/core/base/database-errors.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { DATABASES } from '../../../support/databases.ts';
import { fakeSender, heldSender, openDeliveryFixture } from './delivery-fixture.ts';
import { fragile } from './fragile-deliveries.ts';

describe.each(DATABASES)('two processes on $name', ({ available, open }) => {
  test.skipIf(!available)(
    'send each alert to each webhook once, and every row ends as delivered',
    async () => {
      const { database, url, drop } = await open();
      const second = await openDatabase(url);
      onTestFinished(async () => {
        await second.close();
        await drop();
      });
      const fixture = await openDeliveryFixture(database);
      const webhooks = Array.from({ length: 12 }, (_, index) => `wh_${index}`);
      for (const id of ['key_0', 'key_1', 'key_2']) await fixture.key({ id });
      for (const [index, id] of webhooks.entries()) await fixture.webhook({ id, keyId: `key_${index % 3}` });
      const senders = [fakeSender(), fakeSender()] as const;
      const engines = [
        await fixture.engine(senders[0], { closes: false }),
        await fixture.engine(senders[1], { ...second, closes: false }),
      ];
      const sent = () => senders.flatMap((sender) => sender.sent.map(({ id }) => id));

      await fixture.publish(...Array.from({ length: 60 }, (_, index) => ({ id: index + 1 })));

      await vi.waitFor(() => expect(sent()).toHaveLength(720), 20_000);
      for (const engine of engines) await engine.close();
      expect(new Set(sent()).size).toBe(720);
      for (const id of webhooks) expect(new Set(await fixture.states(id))).toEqual(new Set(['delivered']));
      const counted = await database.webhooks.byIds(webhooks);
      expect(counted.map(({ delivered }) => delivered)).toEqual(webhooks.map(() => 60));
    },
    30_000,
  );
});

describe('a database that fails', () => {
  test.for(['away', 'mute'] as const)('while outcomes are written (%s) loses none of them', async (mode) => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const { sender, letGo } = heldSender();
    await fixture.engine(sender, { deliveries });
    await fixture.publish(...Array.from({ length: 10 }, (_, index) => ({ id: index + 1 })));
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
    await vi.waitFor(async () =>
      expect(await fixture.database.webhooks.byIds(['wh_a'])).toMatchObject([{ delivered: 10, failed: 0 }]),
    );
    expect(sender.sent).toHaveLength(10);
  });

  test.for(['away', 'mute'] as const)(
    'while deliveries are claimed (%s) sends each once when it is back',
    async (mode) => {
      const fixture = await openDeliveryFixture();
      await fixture.key({ id: 'key_a' });
      await fixture.webhook({ id: 'wh_a' });
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

      await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['delivered']));
      await fixture.pass(10_000);
      expect(sender.sent).toHaveLength(1);
    },
  );

  test('when outcomes are counted, and it may have counted them, adds none twice', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
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
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const sender = fakeSender();
    await fixture.engine(sender, { deliveries });

    set('mute');
    await fixture.publish({ id: 1 }, { id: 2 });
    await fixture.clock.asleep(2);
    set('well');
    await fixture.pass(10_000);

    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['delivered', 'delivered']));
    expect(sender.sent.map(({ id }) => id).toSorted()).toEqual(['msg_1_a', 'msg_2_a']);
  });
});
