import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/core/delivery/webhooks/delivery.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

function deliveryOf(given: Partial<Delivery> & { id: string }): Delivery {
  const row = { webhookId: 'wh_a', alertId: 1, state: 'pending', createdAt: START } as const;
  return { ...row, finishedAt: null, result: null, ...given };
}

const by = (owner: string) => ({ owner, call: `${owner}#1`, at: START });
const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id);

onEachDatabase('deliveries that are repeated or carry an outcome', (fixture) => {
  test('a requested delivery is given until it is claimed or given up, oldest first, and not with those that wait', async () => {
    const { deliveries } = fixture.database;
    const ages = { msg_c: 5, msg_a: 5, msg_b: 1, msg_d: 9 };
    const requested = Object.entries(ages).map(([id, age]) =>
      deliveryOf({ id: `${id}.1`, repeats: id, state: 'requested', createdAt: START + age }),
    );
    await deliveries.add([...requested, deliveryOf({ id: 'msg_e' })]);

    expect(ids(await deliveries.requested(3))).toEqual(['msg_b.1', 'msg_a.1', 'msg_c.1']);
    expect(ids(await deliveries.waiting({ createdBefore: START + 99, limit: 9 }))).toEqual(['msg_e']);
    expect(await deliveries.claim(['msg_a.1', 'msg_e'], by('one'))).toEqual(['msg_a.1', 'msg_e']);
    expect(await deliveries.claim(['msg_a.1'], by('two'))).toEqual([]);
    const end = { id: 'msg_c.1', state: 'expired', finishedAt: START + 50, result: null } as const;
    expect(await deliveries.giveUp([end], 'a')).toEqual(['msg_c.1']);
    expect(ids(await deliveries.requested(9))).toEqual(['msg_b.1', 'msg_d.1']);
    expect(ids(await deliveries.list('wh_a', { limit: 9, state: 'requested' }))).toEqual([
      'msg_d.1',
      'msg_b.1',
    ]);
  });

  test('deliveries are given by their ids, with the outcome they carry and the delivery they repeat', async () => {
    const { deliveries } = fixture.database;
    const rows = [
      deliveryOf({ id: 'msg_outcome_3_a', alertId: null, outcome: 3 }),
      deliveryOf({ id: 'msg_outcome_3_a.1', alertId: null, outcome: 3, repeats: 'msg_outcome_3_a' }),
      deliveryOf({ id: 'msg_b' }),
    ];
    await deliveries.add(rows);

    const found = await deliveries.byIds(['msg_outcome_3_a.1', 'msg_none', 'msg_outcome_3_a', 'msg_b']);

    expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual(
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(await deliveries.byIds([])).toEqual([]);
  });
});
