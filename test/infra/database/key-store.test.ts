import { expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('key store', (fixture) => {
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
