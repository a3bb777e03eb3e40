import { expect, test } from 'vitest';
import type { Preset } from '../../../src/core/accounts/presets/preset.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

const CAP = 100;

function presetOf(given: Partial<Preset> = {}): Preset {
  return {
    id: 'preset_a',
    keyId: 'key_a',
    name: 'desk',
    filters: {
      min_signal: 70,
      side: 'BUY',
      resolved: false,
      search: null,
      $where: '1',
      'a.b': 'x',
      '': 'é 😀',
    },
    createdAt: START,
    feedHash: null,
    ...given,
  };
}

onSqlite('preset store', (fixture) => {
  test('only its own key replaces or removes a preset', async () => {
    const { presets } = fixture.database;
    const other = presetOf({ name: 'other', filters: {}, createdAt: START + 1 });
    await presets.insert(presetOf(), CAP);

    expect(await presets.replace({ ...other, keyId: 'key_b' })).toBe(false);
    expect(await presets.replace({ ...other, id: 'nobody' })).toBe(false);
    expect(await presets.get('key_a', 'preset_a')).toStrictEqual(presetOf());
    expect(await presets.replace(other)).toBe(true);

    expect(await presets.listByKey('key_a')).toStrictEqual([other]);
    expect(await presets.remove('key_b', 'preset_a')).toBe(false);
    expect([await presets.remove('key_a', 'preset_a'), await presets.remove('key_a', 'preset_a')]).toEqual([
      true,
      false,
    ]);
    expect(await presets.listByKey('key_a')).toEqual([]);
  });

  test('a feed token finds its preset until it is replaced or removed, by its own key alone, and PUT does not touch it', async () => {
    const { presets } = fixture.database;
    for (const id of ['preset_a', 'preset_b']) await presets.insert(presetOf({ id }), CAP);

    expect(await presets.setFeedToken('key_b', 'preset_a', 'stolen')).toBe(false);
    expect(await presets.setFeedToken('key_a', 'nobody', 'lost')).toBe(false);
    expect(await presets.setFeedToken('key_a', 'preset_a', 'first')).toBe(true);
    const opened = await presets.byFeedToken('first');
    expect(opened).toStrictEqual(presetOf({ feedHash: expect.stringMatching(/^[\w-]{43}$/) }));
    expect(await presets.byFeedToken(opened?.feedHash ?? '')).toBeNull();
    await expect(presets.setFeedToken('key_a', 'preset_b', 'first')).rejects.toThrow();

    await presets.replace(presetOf({ name: 'other', feedHash: 'older' }));
    await presets.setFeedToken('key_a', 'preset_a', 'second');
    expect(await presets.byFeedToken('second')).toMatchObject({ id: 'preset_a', name: 'other' });
    expect([await presets.byFeedToken('first'), await presets.byFeedToken('older')]).toEqual([null, null]);

    expect(await presets.setFeedToken('key_a', 'preset_a', null)).toBe(true);
    expect(await presets.byFeedToken('second')).toBeNull();
    expect(await presets.get('key_a', 'preset_a')).toStrictEqual(presetOf({ name: 'other' }));
  });
});
