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
});
