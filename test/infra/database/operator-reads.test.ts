import { expect, test } from 'vitest';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

function plainKeyOf(given: Partial<ApiKey> & { id: string }): ApiKey {
  return keyOf({ lookup: given.id, name: given.id, tier: 'free', trialEndsAt: null, ...given });
}

onEachDatabase('operator reads', (fixture) => {
  test('keys are counted by the tier they have at the moment; revoked ones are not', async () => {
    const { keys, operatorReads } = fixture.database;
    expect(await operatorReads.keysByTier(START)).toEqual({ free: 0, pro: 0, enterprise: 0 });
    for (const key of [
      plainKeyOf({ id: 'a' }),
      plainKeyOf({ id: 'b', tier: 'pro', trialEndsAt: START + 1 }),
      plainKeyOf({ id: 'c', tier: 'pro', trialEndsAt: START }),
      plainKeyOf({ id: 'd', tier: 'enterprise' }),
      plainKeyOf({ id: 'e', tier: 'enterprise', revokedAt: START }),
    ])
      await keys.insert(key);
    expect(await operatorReads.keysByTier(START)).toEqual({ free: 2, pro: 1, enterprise: 1 });
    expect(await operatorReads.keysByTier(START + 1)).toEqual({ free: 3, pro: 0, enterprise: 1 });
  });
});
