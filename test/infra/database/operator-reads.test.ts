import { expect, test } from 'vitest';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import { START } from '../../support/rows.ts';
import { webhookOf } from '../../support/webhooks.ts';
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

  test('webhooks are summed up, with the deliveries that wait', async () => {
    const { webhooks, deliveries, operatorReads } = fixture.database;
    expect(await operatorReads.webhookTotals()).toEqual({
      webhooks: 0,
      paused: 0,
      delivered: 0,
      failed: 0,
      waiting: 0,
    });
    await webhooks.insert(webhookOf({ id: 'wh_a' }), 5);
    await webhooks.insert(webhookOf({ id: 'wh_b', isPaused: true }), 5);
    await webhooks.addCounts([
      { id: 'wh_a', delivered: 3, failed: 1, failuresAtEnd: 0 },
      { id: 'wh_b', delivered: 1, failed: 0, failuresAtEnd: 0 },
    ]);
    const pending = {
      webhookId: 'wh_a',
      state: 'pending',
      createdAt: START,
      finishedAt: null,
      result: null,
    } as const;
    await deliveries.add([
      { id: 'msg_1', alertId: 1, ...pending },
      { id: 'msg_2', alertId: 2, ...pending, state: 'delivered' },
    ]);
    expect(await operatorReads.webhookTotals()).toEqual({
      webhooks: 2,
      paused: 1,
      delivered: 4,
      failed: 1,
      waiting: 1,
    });
  });
});
