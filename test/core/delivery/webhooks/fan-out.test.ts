import { describe, expect, test, vi } from 'vitest';
import { fakeSender } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { type DeliveryFixture, openDeliveryFixture } from './delivery-fixture.ts';

async function openWebhooks(count: number) {
  const fixture = await openDeliveryFixture();
  await fixture.key({ id: 'key_a' });
  const ids = Array.from({ length: count }, (_, index) => idOf(index, count));
  for (const id of ids) await fixture.webhook({ id });
  return { ...fixture, ids };
}

/** Spread over all ids, as random ones are; the first is `wh_0`. */
function idOf(index: number, count: number): string {
  const spread = Buffer.from([Math.floor((index * 256) / count), index % 256, 0]).toString('base64url');
  return index < 2 ? `wh_${index}` : `wh_${spread}`;
}

describe('a change that was answered before an alert applies to it', () => {
  const changes: Readonly<Record<string, (fixture: DeliveryFixture) => Promise<unknown>>> = {
    'is created': (fixture) => fixture.webhook({ id: 'wh_new' }),
    'is resumed': ({ database }) => database.webhooks.update('key_a', 'wh_paused', { isPaused: false }),
    'gets other criteria': ({ database }) => database.webhooks.update('key_a', 'wh_high', { minScore: 1 }),
    'has a key that becomes Enterprise': ({ database }) =>
      database.keys.setTier('key_pro', 'enterprise', null),
    'has a key whose trial begins again': ({ database }) =>
      database.keys.setTier('key_ended', 'enterprise', START + 60_000),
  };

  test.for(Object.entries(changes))('a webhook that %s gets the next alert', async ([, change]) => {
    const fixture = await openWebhooks(1);
    await fixture.key({ id: 'key_pro', tier: 'pro' });
    await fixture.key({ id: 'key_ended', trialEndsAt: START });
    await fixture.webhook({ id: 'wh_paused', isPaused: true });
    await fixture.webhook({ id: 'wh_high', minScore: 99 });
    await fixture.webhook({ id: 'wh_pro', keyId: 'key_pro' });
    await fixture.webhook({ id: 'wh_ended', keyId: 'key_ended' });
    const sender = fakeSender();
    await fixture.engine(sender);
    await fixture.publish({ id: 1 });
    await vi.waitFor(() => expect(sender.sent).toHaveLength(1));

    await change(fixture);
    await fixture.publish({ id: 2 });

    await vi.waitFor(() => expect(sender.sent).toHaveLength(3));
    await vi.waitFor(async () => expect(await fixture.database.deliveries.cursor()).toBe(2));
  });

  const ends: Readonly<Record<string, (fixture: DeliveryFixture) => Promise<unknown>>> = {
    'is deleted': ({ database }) => database.webhooks.remove('key_a', 'wh_0'),
    'is paused': ({ database }) => database.webhooks.update('key_a', 'wh_0', { isPaused: true }),
    'has a key that is revoked': ({ database }) => database.keys.revoke('key_a', START),
    'has a key that is lowered': ({ database }) => database.keys.setTier('key_a', 'pro', null),
    'has a key whose trial ends': async ({ clock }) => clock.advance(5_000),
  };

  test.for(Object.entries(ends))(
    'a webhook that %s has no delivery of the next alert',
    async ([, change]) => {
      const fixture = await openWebhooks(1);
      await fixture.database.keys.setTier('key_a', 'enterprise', START + 5_000);
      const sender = fakeSender();
      await fixture.engine(sender);
      await fixture.publish({ id: 1 });
      await vi.waitFor(async () => expect(await fixture.database.deliveries.cursor()).toBe(1));

      await change(fixture);
      await fixture.publish({ id: 2 });

      await vi.waitFor(async () => expect(await fixture.database.deliveries.cursor()).toBe(2));
      expect((await fixture.log('wh_0')).map(({ alertId }) => alertId)).toEqual([1]);
    },
  );
});
