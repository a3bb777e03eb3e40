import { expect, test } from 'vitest';
import { keyOf } from '../../../infra/database/api-key.ts';
import { onSqlite } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';

onSqlite('key store', (fixture) => {
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
