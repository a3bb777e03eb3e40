import { expect, test } from 'vitest';
import type { Preset } from '../../../src/core/accounts/presets/preset.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const CAP = 100;

function presetOf(given: Partial<Preset> = {}): Preset {
  return {
    id: 'preset_a',
    keyId: 'key_a',
    name: 'desk',
    filters: { min_signal: 70, side: 'BUY', resolved: false, search: null },
    createdAt: START,
    ...given,
  };
}

onEachDatabase('preset store', (fixture) => {
  test('a preset comes back as it was inserted, to its key alone', async () => {
    const { presets } = fixture.database;

    expect(await presets.insert(presetOf(), CAP)).toBe(true);

    expect(await presets.get('key_a', 'preset_a')).toStrictEqual(presetOf());
    expect(await presets.listByKey('key_a')).toStrictEqual([presetOf()]);
    expect(await presets.get('key_b', 'preset_a')).toBeNull();
    expect(await presets.listByKey('key_b')).toEqual([]);
    expect(await presets.get('key_a', 'nobody')).toBeNull();
  });

  test('names of filters mean nothing to the database, and no text is changed', async () => {
    const { presets } = fixture.database;
    const filters = JSON.parse(
      '{"$where":"1","a.b":"x","constructor":"y","toString":1.5,"":"\\u0000 \\ud83d\\ude00 \\ud800","1":true}',
    );

    await presets.insert(presetOf({ filters, name: '$x.y' }), CAP);

    expect(await presets.get('key_a', 'preset_a')).toStrictEqual(presetOf({ filters, name: '$x.y' }));
  });

  test('the list is oldest first, ties by id', async () => {
    const { presets } = fixture.database;
    const ages = { d: 5, c: -1, b: 5, a: 9 };
    for (const [id, age] of Object.entries(ages)) {
      await presets.insert(presetOf({ id, createdAt: START + age }), CAP);
    }

    expect((await presets.listByKey('key_a')).map(({ id }) => id)).toEqual(['c', 'b', 'd', 'a']);
  });

  test('a replacement takes the place of the same key’s preset only', async () => {
    const { presets } = fixture.database;
    const other = presetOf({ name: 'other', filters: {}, createdAt: START + 1 });
    await presets.insert(presetOf(), CAP);

    expect(await presets.replace({ ...other, keyId: 'key_b' })).toBe(false);
    expect(await presets.replace({ ...other, id: 'nobody' })).toBe(false);
    expect(await presets.get('key_a', 'preset_a')).toStrictEqual(presetOf());
    expect(await presets.replace(other)).toBe(true);

    expect(await presets.listByKey('key_a')).toStrictEqual([other]);
  });

  test('only its own key removes a preset, and once', async () => {
    const { presets } = fixture.database;
    await presets.insert(presetOf(), CAP);

    expect(await presets.remove('key_b', 'preset_a')).toBe(false);
    expect(await presets.remove('key_a', 'preset_a')).toBe(true);
    expect(await presets.remove('key_a', 'preset_a')).toBe(false);

    expect(await presets.listByKey('key_a')).toEqual([]);
  });

  test('a place that became free is taken again', async () => {
    const { presets } = fixture.database;
    for (const id of ['a', 'b', 'c']) await presets.insert(presetOf({ id }), 3);
    expect(await presets.insert(presetOf({ id: 'd' }), 3)).toBe(false);

    await presets.remove('key_a', 'b');

    expect(await presets.insert(presetOf({ id: 'd' }), 3)).toBe(true);
    expect(await presets.insert(presetOf({ id: 'e' }), 3)).toBe(false);
  });

  test('an id that is taken is a fault, not an answer', async () => {
    const { presets } = fixture.database;
    await presets.insert(presetOf(), CAP);

    await expect(presets.insert(presetOf(), CAP)).rejects.toThrow();
    await expect(presets.insert(presetOf({ keyId: 'key_b' }), CAP)).rejects.toThrow();
  });
});
