import { expect, test } from 'vitest';
import type { CustomerRecord } from '../../../src/core/accounts/customers/customer.ts';
import { putCustomer, customerOf as recordOf, visitorOf } from '../../support/customer-fixture.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const trialOf = (endsAt: number) => ({ trial: { request: 'tap', startedAt: START, endsAt } });

onEachDatabase('customer store', (fixture) => {
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

  test('a customer has the newest facts from the platform, is found by name, and can lose the name', async () => {
    const { customers } = fixture.database;
    const touch = (given: Partial<CustomerRecord>, id = 'cus_a') =>
      customers.touch(visitorOf('7', given), { id, createdAt: START });
    await touch({ name: 'Old' });
    await customers.markUnreachable('telegram', '7');
    expect((await customers.get('cus_a'))?.isReachable).toBe(false);

    expect(await touch({ name: 'New' }, 'cus_other')).toBe('cus_a');

    const renamed = recordOf('cus_a', visitorOf('7', { name: 'New' }));
    expect(await customers.byName('NEW', 5)).toStrictEqual([renamed]);
    expect(await customers.byName('Old', 5)).toEqual([]);
    await touch({ platform: 'discord', name: 'New' }, 'cus_b');
    expect((await customers.byName('New', 5)).map(({ id }) => id)).toEqual(['cus_b', 'cus_a']);
    await customers.blank('cus_a');
    expect(await customers.get('cus_a')).toStrictEqual({ ...renamed, name: null });
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
    const trials = (from: number, until: number, after = '') =>
      customers.page({ limit: 5, after, trialEnds: { from: START + from, until: START + until } });

    expect(await customers.page({ limit: 1 })).toMatchObject([{ id: 'cus_a', ...trialOf(START + 5) }]);
    expect(ids(await customers.page({ after: 'cus_a', limit: 5 }))).toEqual(['cus_b', 'cus_g']);
    expect(ids(await trials(4, 6))).toEqual(['cus_a', 'cus_g']);
    expect([ids(await trials(5, 6)), ids(await trials(4, 5)), ids(await trials(4, 6, 'cus_a'))]).toEqual([
      ['cus_g'],
      ['cus_a'],
      ['cus_g'],
    ]);
    expect(ids(await customers.erasing(5))).toEqual(['cus_e']);
    expect(await customers.count(START + 9)).toEqual({ total: 4, new: 1 });
  });

  test('who had a trial is remembered by a mark', async () => {
    const { customers } = fixture.database;
    await customers.addPastTrial('a');
    await customers.addPastTrial('a');

    expect([await customers.hasPastTrial('a'), await customers.hasPastTrial('x')]).toEqual([true, false]);
  });
});
