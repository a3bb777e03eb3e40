import { expect, test } from 'vitest';
import type { CustomerRecord } from '../../../src/core/accounts/customers/customer.ts';
import { visitorOf } from '../../support/customer-fixture.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

function recordOf(id: string, given: Partial<CustomerRecord> = {}): CustomerRecord {
  const states = { bannedAt: null, mergedInto: null, isMoved: false, erasingAt: null, version: 0 };
  return { id, trial: null, createdAt: START, ...states, ...given };
}

const trialOf = (endsAt: number) => ({ trial: { request: 'tap', startedAt: START, endsAt } });

onEachDatabase('customer store', (fixture) => {
  test('a person belongs to one customer, who is the same for two concurrent processes', async () => {
    const stores = [fixture.database.customers, (await fixture.another()).customers] as const;
    const [customers] = stores;

    const owners = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (stores[index % 2] ?? customers).touch(visitorOf(), `cus_${index}`),
      ),
    );

    expect(new Set(owners).size).toBe(1);
    const [customerId = ''] = owners;
    expect(await customers.handle(visitorOf())).toStrictEqual({
      ...visitorOf(),
      customerId,
      isReachable: true,
    });
    expect(await customers.handle(visitorOf('8'))).toBeNull();
  });

  test('pages have reachable customers, trials those that end in the span; merged and leaving customers are pending work', async () => {
    const { customers } = fixture.database;
    const records = [
      recordOf('cus_a', trialOf(START + 5)),
      recordOf('cus_b', { createdAt: START + 9 }),
      recordOf('cus_c', { bannedAt: START, ...trialOf(START + 5) }),
      recordOf('cus_d', { mergedInto: 'cus_a', ...trialOf(START + 5) }),
      recordOf('cus_e', { erasingAt: START }),
      recordOf('cus_f', { mergedInto: 'cus_a', isMoved: true }),
      recordOf('cus_g', trialOf(START + 6)),
    ];
    for (const record of records) await customers.insert(record);
    const ids = (found: readonly CustomerRecord[]) => found.map(({ id }) => id).toSorted();
    const trials = (from: number, until: number, after = '') =>
      customers.page({ limit: 5, after, trialEnds: { from: START + from, until: START + until } });

    expect(await customers.page({ limit: 1 })).toStrictEqual([records[0]]);
    expect(ids(await customers.page({ after: 'cus_a', limit: 5 }))).toEqual(['cus_b', 'cus_g']);
    expect(ids(await trials(4, 6))).toEqual(['cus_a', 'cus_g']);
    expect([ids(await trials(5, 6)), ids(await trials(4, 5)), ids(await trials(4, 6, 'cus_a'))]).toEqual([
      ['cus_g'],
      ['cus_a'],
      ['cus_g'],
    ]);
    expect(ids(await customers.unfinished(5))).toEqual(['cus_d', 'cus_e']);
    expect(ids(await customers.mergedInto('cus_a'))).toEqual(['cus_d', 'cus_f']);
    expect(await customers.count(START + 9)).toEqual({ total: 4, new: 1 });
  });
});
