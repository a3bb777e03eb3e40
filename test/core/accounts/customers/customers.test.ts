import { expect, test } from 'vitest';
import type { CustomerRecord } from '../../../../src/core/accounts/customers/customer.ts';
import { onEachDatabase, onSqlite } from '../../../infra/database/each-database.ts';
import { putCustomer, customerOf as recordOf, visitorOf } from '../../../support/customer-fixture.ts';
import { START } from '../../../support/rows.ts';

const trialOf = (endsAt: number) => ({ trial: { request: 'tap', startedAt: START, endsAt } });

onEachDatabase('customers', (fixture) => {
  test('a person belongs to one customer, who is the same for two concurrent processes', async () => {
    const stores = [fixture.database.customers, (await fixture.another()).customers] as const;
    const [customers] = stores;

    const owners = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (stores[index % 2] ?? customers).touch(visitorOf(), { id: `cus_${index}`, createdAt: START }),
      ),
    );

    expect(new Set(owners).size).toBe(1);
    const [id = ''] = owners;
    expect(await customers.byPerson(visitorOf())).toStrictEqual(recordOf(id, visitorOf()));
    expect(await customers.byPerson(visitorOf('8'))).toBeNull();
  });

  test('a record is replaced only by a writer that has read its last version', async () => {
    const { customers } = fixture.database;
    const other = (await fixture.another()).customers;
    await customers.touch(recordOf('cus_a'), recordOf('cus_a'));

    const won = await Promise.all([
      customers.replace(recordOf('cus_a', trialOf(START + 1))),
      other.replace(recordOf('cus_a', trialOf(START + 2))),
    ]);

    expect(won.toSorted()).toEqual([false, true]);
    const endsAt = won[0] ? START + 1 : START + 2;
    expect(await other.get('cus_a')).toStrictEqual(recordOf('cus_a', { ...trialOf(endsAt), version: 1 }));
    await customers.remove('cus_a');
    expect([await other.get('cus_a'), await other.replace(recordOf('cus_a', { version: 1 }))]).toEqual([
      null,
      false,
    ]);
  });
});

onSqlite('customers', (fixture) => {
  test('pages have customers who are not banned, trials those that end in the span; leaving customers are pending work', async () => {
    const { customers } = fixture.database;
    const records = [
      recordOf('cus_a', trialOf(START + 5)),
      recordOf('cus_b', { createdAt: START + 9 }),
      recordOf('cus_c', { bannedAt: START, ...trialOf(START + 5) }),
      recordOf('cus_e', { erasingAt: START, ...trialOf(START + 5) }),
      recordOf('cus_g', trialOf(START + 6)),
    ];
    for (const record of records) await putCustomer(fixture.database, record);
    const ids = (found: readonly CustomerRecord[]) => found.map(({ id }) => id).toSorted();
    const trials = (from: number, until: number, after?: CustomerRecord) =>
      customers.trialsEnding({ limit: 5, after, from: START + from, until: START + until });

    expect(await customers.page({ limit: 1 })).toMatchObject([{ id: 'cus_a', ...trialOf(START + 5) }]);
    expect(ids(await customers.page({ after: 'cus_a', limit: 5 }))).toEqual(['cus_b', 'cus_g']);
    expect(ids(await trials(4, 6))).toEqual(['cus_a', 'cus_g']);
    expect([ids(await trials(5, 6)), ids(await trials(4, 5)), ids(await trials(4, 6, records[0]))]).toEqual([
      ['cus_g'],
      ['cus_a'],
      ['cus_g'],
    ]);
    expect(ids(await customers.erasing(5))).toEqual(['cus_e']);
    expect(await customers.count(START + 9)).toEqual({ total: 4, new: 1 });
  });
});
