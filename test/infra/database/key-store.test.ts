import { expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('key store', (fixture) => {
  test('a key comes back by id and by its lookup part, as it was inserted', async () => {
    const { keys } = fixture.database;
    const lasting = keyOf({ id: 'key_b', lookup: 'other', name: '', trialEndsAt: null });

    for (const key of [keyOf(), lasting]) await keys.insert(key);

    expect(await keys.byId(keyOf().id)).toStrictEqual(keyOf());
    expect(await keys.byLookup('other')).toStrictEqual(lasting);
    expect(await keys.byLookup('nobody')).toBeNull();
    expect(await keys.byId('nobody')).toBeNull();
    expect(await keys.list()).toStrictEqual([keyOf(), lasting]);
    expect((await keys.byIds(['nobody', 'key_b'])).map(({ id }) => id)).toEqual(['key_b']);
  });

  test('an id or a lookup part that is taken is a fault, and the key stays', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    for (const thief of [keyOf({ id: 'key_b' }), keyOf({ lookup: 'other' })])
      await expect(keys.insert({ ...thief, name: 'thief' })).rejects.toThrow('is taken');

    expect(await keys.list()).toStrictEqual([keyOf()]);
  });

  test('revoking twice keeps the first moment, and no key is no key', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    expect(await keys.revoke(keyOf().id, START + 10)).toBe(true);
    expect(await keys.revoke(keyOf().id, START + 20)).toBe(true);
    expect(await keys.revoke('nobody', START)).toBe(false);
    expect(await keys.setTier('nobody', 'free', null)).toBe(false);

    expect(await keys.byId(keyOf().id)).toStrictEqual(keyOf({ revokedAt: START + 10 }));
  });

  test('every process sees that the tier, the trial, the secret or the end of a key was changed', async () => {
    const { keys } = fixture.database;
    const other = (await fixture.another()).keys;
    await keys.insert(keyOf({ id: 'key_a', trialEndsAt: START }));
    const handover = { request: 'again', isShown: true };
    const rotation = { from: keyOf().lookup, lookup: 'new', hash: 'new', previous: null, handover };
    const before = await other.changes();
    const seen = [];
    for (const change of [
      () => keys.setTier('key_a', 'pro', START + 1),
      () => keys.setTier('key_a', 'free', null),
      () => keys.rename('key_a', 'desk'),
      () => keys.rotate('key_a', rotation),
      () => keys.revoke('key_a', START),
      () => keys.retire('key_a', START),
      () => keys.removeAll('cus_a'),
    ]) {
      await change();
      seen.push((await other.changes()) - before);
    }

    expect(seen).toEqual([1, 2, 2, 3, 4, 5, 6]);
  });
});

onEachDatabase('usage store', (fixture) => {
  test('counts each key and day apart; days before one are forgotten', async () => {
    const { usage } = fixture.database;
    const both = new Map(['key_a', 'key_b'].map((key) => [key, 1]));
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-02', '2026-01-04']) await usage.add(day, both);
    await usage.add('2026-01-02', new Map([['key_a', 3]]));

    expect(await usage.get('key_a', '2026-01-02')).toBe(5);
    expect(await usage.get('key_b', '2026-01-03')).toBe(0);
    expect(await usage.prune('2026-01-02')).toBe(2);
    const left = ['2026-01-01', '2026-01-02', '2026-01-04'].map((day) => usage.get('key_a', day));
    expect(await Promise.all(left)).toEqual([0, 5, 1]);
  });
});
