import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseTimeout } from '../../../src/core/database-timeout.ts';
import type { DeliveryStore } from '../../../src/core/webhooks/delivery-store.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { DATABASES } from '../../support/databases.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import {
  BROKEN,
  DELIVERED,
  fakeSender,
  heldSender,
  openDeliveryFixture,
  SILENT,
} from './delivery-fixture.ts';

const DAY = 86_400_000;

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

/** A store that can be cut off; what is asked then fails before or after it took effect. */
function fragile(store: DeliveryStore) {
  let mode: 'well' | 'away' | 'mute' = 'well';
  const wrap =
    <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (mode === 'away') throw new Error('away');
      const answer = await call(...args);
      if (mode === 'mute') throw new Error('mute');
      return answer;
    };
  return {
    deliveries: { ...store, claim: wrap(store.claim), finish: wrap(store.finish), add: wrap(store.add) },
    set: (next: typeof mode) => {
      mode = next;
    },
  };
}

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

describe('counts and messages to owners', () => {
  test('after 20 failures in a row the owner gets one message; again only after a success and 20 more', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
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
});

describe('end', () => {
  test('what is being sent ends and is stored, what waits stays for the next start', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { sender, letGo } = heldSender();
    const engine = await fixture.engine(sender, { closes: false });
    await fixture.publish(...Array.from({ length: 20 }, (_, index) => ({ id: index + 1 })));
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
    const next = fakeSender();
    await fixture.engine(next);
    await fixture.pass(7_000);
    await vi.waitFor(() => expect(next.sent).toHaveLength(4));
  });

  test('takes at most 9 s with the database away; what it could not store is unknown at the next start', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { deliveries, set } = fragile(fixture.database.deliveries);
    const { sender, letGo } = heldSender(SILENT);
    const engine = await fixture.engine(sender, { closes: false, deliveries, owner: 'first' });
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

    await fixture.engine(fakeSender(), { isGone: (owner) => owner === 'first' });
    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['unknown']));
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
