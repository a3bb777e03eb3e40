import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import { followersOfCustomers } from '../../../../src/core/follow/join-followers.ts';
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
  await fixture.service.linking.start(id);
  return { ...fixture, id, key, secret };
}

onEachDatabase('deleting one’s data', (fixture) => {
  test('removes their sent and unsent messages, and no messages of others', async () => {
    const { database } = fixture;
    const { service, id, key } = await settled(database);
    const others = [noteFor('customer:cus_other'), noteFor('key:key_other'), postOf(1)];
    await database.chat.add([noteFor(`customer:${id}`), noteFor(`key:${key.id}`), ...others]);

    await service.erase(id);

    const left = await Promise.all([`note:customer:${id}`, `note:key:${key.id}`].map(database.chat.byId));
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
        followers: followersOfCustomers(wrap(database.followers)),
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
    { numRuns: 40 },
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
  expect(met).toMatchObject({
    bannedAt: START,
    handles: [{ platform: 'telegram', userId: '7', name: null }],
  });
  expect(await service.keys.issue({ customerId: id, tier: 'free', request: 'b' })).toMatchObject({
    reason: 'banned',
  });
});

const discord = visitorOf('9', { platform: 'discord' });

async function openPair(database: Parameters<typeof openCustomerFixture>[0]) {
  const fixture = openCustomerFixture(database);
  const one = await fixture.service.visit(visitorOf());
  await fixture.clock.advance(DAY_MS);
  const other = await fixture.service.visit(discord);
  return { ...fixture, one, other };
}

onEachDatabase('linking', (fixture) => {
  test('makes two customers one, with all keys and the earlier trial (one trial per person)', async () => {
    const { service, give, clock, one, other } = await openPair(fixture.database);
    const late = await give({ customerId: one.id, tier: 'free', request: 'a' });
    await clock.advance(1);
    const first = await give({ customerId: other.id, tier: 'pro', request: 'b' });
    await clock.advance(DAY_MS);
    const second = await give({ customerId: one.id, tier: 'pro', request: 'c' });
    const { code, expiresAt } = await service.linking.start(one.id);
    expect([code, expiresAt]).toEqual([
      expect.stringMatching(/^[A-HJKMNP-TV-Z2-9]{8}$/),
      clock.now() + 10 * MINUTE_MS,
    ]);

    const linked = await service.linking.link(other.id, ` ${code.toLowerCase()} `);

    const startedAt = START + DAY_MS + 1;
    const endsAt = startedAt + 30 * DAY_MS;
    const trial = { request: 'b', startedAt, endsAt };
    expect(linked).toMatchObject({ ok: true, customer: { trial, handles: [visitorOf(), discord] } });
    const keys = await service.keysOf(other.id);
    expect(keys.map(({ id }) => id)).toEqual([late, first, second].map(({ key }) => key.id));
    expect(keys.map((key) => key.trialEndsAt)).toEqual([null, endsAt, endsAt]);
    expect(await service.visit(discord)).toEqual(await service.visit(visitorOf()));
    expect(await service.keys.issue({ customerId: one.id, tier: 'free', request: 'e' })).toEqual({
      ok: false,
      reason: 'too_many_keys',
    });
    expect(await service.linking.link(other.id, code)).toEqual({ ok: false, reason: 'unknown_code' });
  });

  test('a code works once, even when two customers enter it concurrently', async () => {
    const { service, one, other } = await openPair(fixture.database);
    const third = await service.visit(visitorOf('11'));
    const { code } = await service.linking.start(one.id);

    const results = await Promise.all([
      service.linking.link(other.id, code),
      service.linking.link(third.id, code),
    ]);

    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  });
});

const memory = () => openDatabase('sqlite::memory:');

test('one cannot link with oneself, with a code that is over, or after 5 wrong ones in 10 minutes', async () => {
  const { service, clock, one, other } = await openPair(await memory());
  const { code } = await service.linking.start(one.id);
  expect(await service.linking.link(one.id, code)).toEqual({ ok: false, reason: 'own_code' });
  const unknown = { ok: false, reason: 'unknown_code' };
  for (let guess = 0; guess < 4; guess += 1)
    expect(await service.linking.link(other.id, 'WRONG222')).toEqual(unknown);
  const locked = { ok: false, reason: 'too_many_guesses', until: clock.now() + 10 * MINUTE_MS };
  expect(await service.linking.link(other.id, 'WRONG222')).toEqual(locked);
  await clock.advance(MINUTE_MS);
  expect(await service.linking.link(other.id, code)).toEqual(locked);
  await clock.advance(9 * MINUTE_MS);
  expect(await service.linking.link(other.id, code)).toEqual(unknown);
  const next = await service.linking.start(one.id);
  expect(await service.linking.link(other.id, next.code)).toMatchObject({ ok: true });
});

test('two who have more than 3 keys together are not linked, and the code still works when one is revoked (issue, at most 3 active keys)', async () => {
  const database = await openDatabase('sqlite::memory:');
  const { service, give } = openCustomerFixture(database);
  const [one, other] = [
    await service.visit(visitorOf('1')),
    await service.visit(visitorOf('2', { platform: 'discord' })),
  ];
  const given = [];
  for (const request of ['a', 'b']) given.push(await give({ customerId: one.id, tier: 'free', request }));
  for (const request of ['c', 'd']) await give({ customerId: other.id, tier: 'free', request });
  const { code } = await service.linking.start(one.id);

  expect(await service.linking.link(other.id, code)).toEqual({ ok: false, reason: 'too_many_keys' });
  await service.keys.revoke(one.id, given[0]?.key.id ?? '');

  expect(await service.linking.link(other.id, code)).toMatchObject({ ok: true });
  expect(await service.keysOf(one.id)).toHaveLength(3);
  await database.close();
});

test('a ban on either side refuses the link, and stays', async () => {
  const { service, one, other } = await openPair(await memory());
  const { code } = await service.linking.start(one.id);
  await service.ban(one.id);

  expect(await service.linking.link(other.id, code)).toEqual({ ok: false, reason: 'banned' });
  expect((await service.byId(other.id))?.bannedAt).toBeNull();
});

const kills = fc.record({ dies: fc.nat(36), isLastDone: fc.boolean() });

test('a merge that was killed at any step is finished by the next visit: one customer, all keys and follows, one trial', async () => {
  await fc.assert(
    fc.asyncProperty(kills, fc.boolean(), async ({ dies, isLastDone }, isOlderFirst) => {
      const database = await memory();
      const { service, give, clock, one, other } = await openPair(database);
      const [first, second] = isOlderFirst ? [one, other] : [other, one];
      await give({ customerId: first.id, tier: 'pro', request: 'a' });
      await clock.advance(1_000);
      await give({ customerId: second.id, tier: 'pro', request: 'b' });
      for (const [number, { id }] of [one, other].entries()) {
        const follows = [followOf('a1', walletOf(number)), followOf('a2', walletOf(9))];
        await database.followers.put(followerOf(id, { follows, nextFollow: 3 }));
      }
      const { code } = await service.linking.start(one.id);
      const { wrap } = createUnrulyProcess({ waits: [0], dies, isLastDone });
      const followers = followersOfCustomers(wrap(database.followers));
      const stores = { customers: wrap(database.customers), keys: wrap(database.keys), followers };
      await unlessKilled(openCustomerFixture(database, stores, clock).service.linking.link(other.id, code));

      const met = await service.visit(discord);

      const isMerged = met.handles.length === 2;
      expect(await service.visit(visitorOf())).toEqual(isMerged ? met : expect.anything());
      const keys = await service.keysOf(met.id);
      expect(keys).toHaveLength(isMerged ? 2 : 1);
      if (!isMerged) return;
      expect(met.trial?.request).toBe('a');
      expect(new Set(keys.map(({ trialEndsAt }) => trialEndsAt))).toEqual(new Set([met.trial?.endsAt]));
      const [follower, ...more] = await database.followers.changedSince({ since: 0, limit: 10 });
      expect([follower?.customerId, more]).toEqual([one.id, []]);
      expect(follower?.follows.map(({ id, subject }) => [id, subject])).toEqual([
        ['a1', walletOf(0)],
        ['a2', walletOf(9)],
        ['a3', walletOf(1)],
      ]);
      await service.resumeInterrupted();
      expect(await database.customers.unfinished(10)).toEqual([]);
      await database.close();
    }),
    { numRuns: 50 },
  );
});
