import { describe, expect, test, vi } from 'vitest';
import { START } from '../../support/rows.ts';
import { fakeSender, heldSender, openDeliveryFixture } from './delivery-fixture.ts';

const MINUTE = 60_000;

describe('what ends without an answer', () => {
  test('what was being sent when its process died is unknown, and not sent again', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { sender: hanging } = heldSender();
    await fixture.engine(hanging, { closes: false, owner: 'dead' });
    await fixture.publish({ id: 1 }, { id: 2 });
    await vi.waitFor(() => expect(hanging.sent).toHaveLength(2));

    const sender = fakeSender();
    await fixture.engine(sender, { isGone: (owner) => owner === 'dead' });

    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['unknown', 'unknown']));
    expect(sender.sent).toEqual([]);
    await vi.waitFor(async () =>
      expect(await fixture.database.webhooks.byIds(['wh_a'])).toMatchObject([
        { failed: 2, failuresInRow: 0 },
      ]),
    );
  });

  test('of a process nothing is known of, a claim is unknown after a minute', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const stopped = await openDeliveryFixture(fixture.database);
    const { sender: hanging } = heldSender();
    await stopped.engine(hanging, { closes: false, owner: 'far away' });
    await stopped.publish({ id: 1 });
    await vi.waitFor(() => expect(hanging.sent).toHaveLength(1));
    await fixture.engine(fakeSender());

    await fixture.pass(60_000);
    expect(await fixture.states('wh_a')).toEqual(['claimed']);
    await fixture.pass(5_000);

    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['unknown']));
  });

  test('what waited for more than ten minutes is expired and not sent', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { sender, letGo } = heldSender();
    const engine = await fixture.engine(sender);
    await fixture.publish(...Array.from({ length: 20 }, (_, index) => ({ id: index + 1 })));
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
    await vi.waitFor(async () =>
      expect(await fixture.database.webhooks.byIds(['wh_a'])).toMatchObject([counts]),
    );
  });

  test('a restart continues behind the cursor: what was missed is sent, and what is too old is recorded as expired', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const first = fakeSender();
    const engine = await fixture.engine(first, { closes: false });
    await fixture.publish({ id: 1 });
    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['delivered']));
    await engine.close();
    const old = START - 10 * MINUTE - 1;
    await fixture.publish({ id: 2, createdAt: old }, { id: 3, createdAt: START - 9 * MINUTE });

    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(async () =>
      expect(await fixture.states('wh_a')).toEqual(['delivered', 'expired', 'delivered']),
    );
    expect(sender.sent.map(({ id }) => id)).toEqual(['msg_3_a']);
  });

  test('the first engine of a database begins at the end of the ledger, also when it dies before the first alert', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    await fixture.publish({ id: 1 });
    await (await fixture.engine(fakeSender(), { closes: false })).close();
    await fixture.publish({ id: 2 });
    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(() => expect(sender.sent.map(({ id }) => id)).toEqual(['msg_2_a']));
  });

  test('rows of a process that died before it claimed them are found and sent', async () => {
    const fixture = await openDeliveryFixture();
    await fixture.key({ id: 'key_a' });
    await fixture.webhook({ id: 'wh_a' });
    const { deliveries } = fixture.database;
    const dead = { ...deliveries, claim: () => new Promise<never>(() => {}) };
    await fixture.engine(fakeSender(), { closes: false, deliveries: dead });
    await fixture.publish({ id: 1 });
    await vi.waitFor(async () => expect(await fixture.states('wh_a')).toEqual(['pending']));

    const sender = fakeSender();
    await fixture.engine(sender);

    await vi.waitFor(() =>
      expect(sender.sent.map(({ id, body }) => [id, JSON.parse(body).id])).toEqual([['msg_1_a', 1]]),
    );
  });
});
