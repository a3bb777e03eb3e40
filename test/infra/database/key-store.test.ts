import { expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('key store', (fixture) => {
  test('a key comes back by id and by its lookup part, as it was inserted', async () => {
    const { keys } = fixture.database;
    const lasting = keyOf({ id: 'key_b', lookup: 'other', name: '', trialEndsAt: null });

    expect(await keys.insert(keyOf())).toBe(true);
    expect(await keys.insert(lasting)).toBe(true);

    expect(await keys.byId(keyOf().id)).toStrictEqual(keyOf());
    expect(await keys.byLookup('other')).toStrictEqual(lasting);
    expect(await keys.byLookup('nobody')).toBeNull();
    expect(await keys.byId('nobody')).toBeNull();
  });

  test('many keys are read in one call; those that do not exist are left out', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());
    await keys.insert(keyOf({ id: 'key_b', lookup: 'other' }));

    const found = await keys.byIds(['nobody', 'key_b', keyOf().id]);

    expect(found.map(({ id }) => id).toSorted()).toEqual([keyOf().id, 'key_b']);
    expect(found).toContainEqual(keyOf());
    expect(await keys.byIds([])).toEqual([]);
  });

  test('a lookup part that is taken is refused, and its key stays', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    expect(await keys.insert(keyOf({ id: 'key_b', name: 'thief' }))).toBe(false);
    expect(await keys.insert(keyOf({ name: 'thief' }))).toBe(false);

    expect(await keys.list()).toStrictEqual([keyOf()]);
  });

  test('an id that is taken is a fault, not an answer', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    await expect(keys.insert(keyOf({ lookup: 'other' }))).rejects.toThrow();
  });

  test('the list is oldest first, ties by id', async () => {
    const { keys } = fixture.database;
    const rows: [string, number][] = [
      ['d', 5],
      ['c', 1],
      ['b', 5],
      ['a', 9],
    ];
    for (const [id, age] of rows) await keys.insert(keyOf({ id, lookup: id, createdAt: START + age }));

    expect((await keys.list()).map(({ id }) => id)).toEqual(['c', 'b', 'd', 'a']);
  });

  test('revoking twice keeps the first moment, and no key is no key', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    expect(await keys.revoke(keyOf().id, START + 10)).toBe(true);
    expect(await keys.revoke(keyOf().id, START + 20)).toBe(true);
    expect(await keys.revoke('nobody', START)).toBe(false);

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
      () => keys.moveTrial('key_a', START, { tier: 'pro', trialEndsAt: START + 1 }),
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

  test('a change of tier changes the tier and the end of the trial, and nothing else', async () => {
    const { keys } = fixture.database;
    await keys.insert(keyOf());

    expect(await keys.setTier(keyOf().id, 'enterprise', null)).toBe(true);
    expect(await keys.setTier('nobody', 'free', null)).toBe(false);

    expect(await keys.byId(keyOf().id)).toStrictEqual(keyOf({ tier: 'enterprise', trialEndsAt: null }));
  });
});

onEachDatabase('usage store', (fixture) => {
  test('counts a key and a day apart from every other', async () => {
    const { usage } = fixture.database;

    await usage.add(
      '2026-01-02',
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
    await usage.add('2026-01-02', new Map([['a', 3]]));
    await usage.add('2026-01-03', new Map([['a', 7]]));
    await usage.add('2026-01-03', new Map());

    expect(await usage.get('a', '2026-01-02')).toBe(5);
    expect(await usage.get('b', '2026-01-02')).toBe(1);
    expect(await usage.get('a', '2026-01-03')).toBe(7);
    expect(await usage.get('b', '2026-01-03')).toBe(0);
  });

  test('days before one are forgotten, the day itself and later ones are not', async () => {
    const { usage } = fixture.database;
    for (const day of ['2025-12-31', '2026-01-01', '2026-01-02'])
      await usage.add(day, new Map(['a', 'b'].map((key) => [key, 1])));

    expect(await usage.prune('2026-01-01')).toBe(2);

    expect(await usage.get('a', '2025-12-31')).toBe(0);
    expect(await usage.get('a', '2026-01-01')).toBe(1);
    expect(await usage.get('a', '2026-01-02')).toBe(1);
  });

  test('calls counted by two processes concurrently add up', async () => {
    const stores = [fixture.database.usage, (await fixture.another()).usage];

    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stores[index % 2]?.add(
          `2026-01-0${1 + (index % 5)}`,
          new Map([
            ['a', 1],
            ['b', 2],
          ]),
        ),
      ),
    );

    for (let day = 1; day <= 5; day += 1) {
      expect(await fixture.database.usage.get('a', `2026-01-0${day}`)).toBe(4);
      expect(await fixture.database.usage.get('b', `2026-01-0${day}`)).toBe(8);
    }
  });

  test('the history is that of one key and of the days that are asked for', async () => {
    const { usage } = fixture.database;
    for (const [day, calls] of [
      ['2026-01-01', 1],
      ['2026-01-02', 2],
      ['2026-01-04', 4],
    ] as const)
      await usage.add(
        day,
        new Map([
          ['key_a', calls],
          ['key_b', 9],
        ]),
      );

    const found = await usage.history('key_a', ['2026-01-02', '2026-01-03', '2026-01-04']);

    expect([...found].toSorted()).toEqual([
      ['2026-01-02', 2],
      ['2026-01-04', 4],
    ]);
  });
});
