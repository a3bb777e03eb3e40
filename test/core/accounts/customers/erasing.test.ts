import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { noteFor, postOf } from '../../../support/chat/messages.ts';
import { openCustomerFixture, visitorOf } from '../../../support/customer-fixture.ts';
import { followerOf, followOf, walletOf } from '../../../support/followers.ts';
import { START } from '../../../support/rows.ts';
import { createUnrulyProcess, unlessKilled } from '../../../support/unruly-store.ts';
import { webhookOf } from '../../../support/webhooks.ts';

async function settled(database: Parameters<typeof openCustomerFixture>[0]) {
  const fixture = openCustomerFixture(database);
  const { id } = await fixture.service.visit(visitorOf());
  const { key, secret } = await fixture.give({ customerId: id, tier: 'pro', request: 'a' });
  const preset = { id: 'pre_a', keyId: key.id, name: 'p', filters: {}, createdAt: START, feedHash: null };
  await database.presets.insert(preset, 5);
  await database.webhooks.insert(webhookOf({ id: 'wh_a', keyId: key.id }), 5);
  await database.followers.put(followerOf(id, { follows: [followOf('a1', walletOf(1))] }));
  return { ...fixture, id, key, secret };
}

onEachDatabase('deleting one’s data', (fixture) => {
  test('removes their sent and unsent messages, and no messages of others', async () => {
    const { database } = fixture;
    const { service, id, key } = await settled(database);
    const others = [noteFor('customer:cus_other'), noteFor('key:key_other'), postOf(1)];
    await database.chat.add([noteFor(`customer:${id}`), noteFor(`key:${key.id}`), ...others]);

    await service.erase(id);

    const left = await Promise.all(
      [`note:customer:${id}`, `note:key:${key.id}`].map((own) => database.chat.byId(own)),
    );
    expect(left).toEqual([null, null]);
    expect(await database.chat.counts(0)).toMatchObject({ pending: others.length });
  });

  test('removes keys, presets, webhooks and the person; a second trial is not to be had (design)', async () => {
    const { database } = fixture;
    const { service, give, id, key, secret } = await settled(database);

    await service.erase(id);
    await service.erase(id);

    expect([await service.byId(id), await service.keysOf(id), await database.keys.list()]).toEqual([
      null,
      [],
      [],
    ]);
    expect(await database.presets.listByKey(key.id)).toEqual([]);
    expect(await database.webhooks.listByKey(key.id)).toEqual([]);
    expect(await database.followers.get(id)).toBeNull();
    expect(await service.ownerOfSecret(secret)).toBeNull();
    expect(await service.find('telegram:7')).toEqual([]);
    const again = await service.visit(visitorOf());
    expect([again.id === id, again.trial]).toEqual([false, null]);
    expect(await give({ customerId: again.id, tier: 'pro', request: 'b' })).toMatchObject({
      trialUsed: true,
    });
    const other = await service.visit(visitorOf('8'));
    expect(await give({ customerId: other.id, tier: 'pro', request: 'c' })).toMatchObject({
      trialUsed: false,
    });
  });
});

test('killed anywhere, the rest is removed when they write again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(24), fc.boolean(), async (dies, isLastDone) => {
      const database = await openDatabase('sqlite::memory:');
      const { service, clock, id, key } = await settled(database);
      const { wrap } = createUnrulyProcess({ waits: [0], dies, isLastDone });
      const { customers, keys, presets, webhooks } = database;
      const stores = {
        customers: wrap(customers),
        keys: wrap(keys),
        presets: wrap(presets),
        webhooks: wrap(webhooks),
        followers: wrap(database.followers),
      };
      await unlessKilled(openCustomerFixture(database, stores, clock).service.erase(id));
      const hadBegun = (await database.customers.get(id))?.erasingAt !== null;

      const met = await service.visit(visitorOf());

      expect(met.id === id).toBe(!hadBegun);
      if (!hadBegun) return;
      expect(await database.keys.list()).toEqual([]);
      expect([await database.presets.listByKey(key.id), await database.webhooks.listByKey(key.id)]).toEqual([
        [],
        [],
      ]);
      expect(await database.followers.get(id)).toBeNull();
      expect(await service.keys.issue({ customerId: met.id, tier: 'pro', request: 'b' })).toMatchObject({
        trialUsed: true,
      });
      await database.close();
    }),
    { numRuns: 20 },
  );
});

test('killed at its beginning, the rest is removed though they never write again', async () => {
  const database = await openDatabase('sqlite::memory:');
  const { service, id, secret } = await settled(database);
  const record = await database.customers.get(id);
  if (record === null) throw new Error('no such customer');
  await database.customers.replace({ ...record, erasingAt: START });

  expect(await service.resumeInterrupted()).toBe(1);

  expect(await service.ownerOfSecret(secret)).toBeNull();
  expect([await database.keys.list(), await database.customers.get(id)]).toEqual([[], null]);
  expect(await service.resumeInterrupted()).toBe(0);
  await database.close();
});

test('a ban outlives the data: the keys and names go, who it is for stays', async () => {
  const database = await openDatabase('sqlite::memory:');
  const { service, id } = await settled(database);
  await service.ban(id);

  await service.erase(id);

  expect([await database.keys.list(), await database.followers.get(id)]).toEqual([[], null]);
  const met = await service.byId(id);
  expect(met).toMatchObject({ bannedAt: START, platform: 'telegram', userId: '7', name: null });
  expect(await service.keys.issue({ customerId: id, tier: 'free', request: 'b' })).toMatchObject({
    reason: 'banned',
  });
});
