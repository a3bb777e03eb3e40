import { expect, test } from 'vitest';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('keys of a customer', (fixture) => {
  const own = (given: Partial<ApiKey> = {}) => ({ ...keyOf(given), customerId: given.customerId ?? 'cus_a' });
  const named = (name: string, given: Partial<ApiKey> = {}) =>
    own({ id: `key_${name}`, lookup: name, trialEndsAt: null, ...given });
  const asked = (request: string, isShown = false) => ({ handover: { request, isShown } });

  test('one request gives one key, also with concurrent calls of two processes; a lookup part is unique', async () => {
    const stores = [fixture.database.keys, (await fixture.another()).keys] as const;

    const outcomes = await Promise.all(
      stores.map((store, index) => store.insertWithin(named(`k${index}`, asked('tap')), 3)),
    );

    expect(outcomes.toSorted()).toEqual(['inserted', 'taken']);
    const key = await stores[0].byRequest('tap');
    expect(key).toMatchObject(asked('tap'));
    expect(await stores[0].byRequest('another')).toBeNull();
    const thief = named('thief', { lookup: key?.lookup ?? '', ...asked('other') });
    expect(await stores[0].insertWithin(thief, 3)).toBe('taken');
  });

  test('the keys of several customers are read at once, without revoked ones and those of nobody', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf({ id: 'key_nobody', lookup: 'nobody' }));
    for (const customerId of ['cus_a', 'cus_b', 'cus_c']) {
      await keys.insert(named(`${customerId}1`, { customerId }));
      await keys.insert(named(`${customerId}2`, { customerId }));
    }
    await keys.revoke('key_cus_a1', START);

    const found = await keys.byCustomers(['cus_a', 'cus_c', 'cus_none']);

    const ids = found.map(({ id }) => id).toSorted();
    expect(ids).toEqual(['key_cus_a2', 'key_cus_c1', 'key_cus_c2']);
    expect(await keys.byCustomers([])).toEqual([]);
  });

  test('of two concurrent rotations one wins, and both secrets find the key', async () => {
    const { keys } = fixture.database;
    const first = named('first', asked('tap', true));
    await keys.insert(first);
    const turn = (lookup: string) => ({
      ...{ lookup, hash: `hash of ${lookup}`, handover: { request: lookup, isShown: false } },
      previous: { lookup: 'first', hash: first.hash, endsAt: START + 5 },
    });

    const outcomes = await Promise.all([
      keys.rotate(first, turn('second')),
      (await fixture.another()).keys.rotate(first, turn('third')),
    ]);

    expect(outcomes.toSorted()).toEqual([false, true]);
    const name = outcomes[0] === true ? 'second' : 'third';
    const rotated = { ...first, ...turn(name) };
    expect(await keys.byLookup(name)).toStrictEqual(rotated);
    expect(await keys.byLookup('first')).toStrictEqual(rotated);
    expect([await keys.byRequest('tap'), await keys.byRequest(name)]).toStrictEqual([null, rotated]);
  });

  test('a key is not rotated once it is revoked, or its secret was shown meanwhile', async () => {
    const { keys } = fixture.database;
    const unseen = named('unseen', asked('tap'));
    const next = { lookup: 'next', hash: 'h', previous: null, handover: { request: 'r', isShown: false } };
    await keys.insert(unseen);
    await keys.confirmShown(unseen.id, 'tap');
    expect(await keys.rotate(unseen, next)).toBe(false);
    const seen = named('unseen', asked('tap', true));
    await keys.revoke(unseen.id, START);
    expect(await keys.rotate(seen, next)).toBe(false);
  });

  test('the first use confirms the handover of the only secret a key had, and of no other', async () => {
    const { keys } = fixture.database;
    const previous = { lookup: 'before', hash: 'h', endsAt: START + 1 };
    await keys.insert(named('a', asked('r')));
    await keys.insert(named('b', { ...asked('s'), previous }));
    await keys.insert(named('c'));

    const ids = ['key_a', 'key_b', 'key_c'];
    for (const id of ids) expect(await keys.markFirstUsed(id, START)).toBe(true);

    expect(await keys.markFirstUsed('key_c', START + 5)).toBe(false);
    const used = await Promise.all(ids.map(async (id) => (await keys.byId(id)) ?? keyOf()));
    expect(used.map(({ handover }) => handover?.isShown ?? null)).toEqual([true, false, null]);
    expect(used.map(({ firstUsedAt }) => firstUsedAt)).toEqual([START, START, START]);
  });

  test('an unseen key is retired and its request is free again; one that was shown is not', async () => {
    const { keys } = fixture.database;
    await keys.insert(named('unseen', asked('a')));
    await keys.insert(named('seen', asked('b')));
    expect(await keys.confirmShown('key_seen', 'another')).toBe(false);
    expect(await keys.confirmShown('key_seen', 'b')).toBe(true);

    expect(await keys.retire('key_unseen', START + 1)).toBe(true);
    expect(await keys.retire('key_seen', START + 1)).toBe(false);

    expect(await keys.byId('key_unseen')).toStrictEqual(named('unseen', { revokedAt: START + 1 }));
    expect(await keys.byRequest('a')).toBeNull();
    expect(await keys.insertWithin(named('next', asked('a')), 3)).toBe('inserted');
    expect(await keys.byId('key_seen')).toStrictEqual(named('seen', asked('b', true)));
  });
});
