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

  test('handles have the newest facts from the platform; they move, lose their names, and go', async () => {
    const { customers } = fixture.database;
    const discord = { platform: 'discord', name: null, chat: 'dm' } as const;
    await customers.touch(visitorOf('7', discord), 'cus_a');
    await customers.touch(visitorOf('7', { name: 'Old' }), 'cus_a');
    await customers.markUnreachable('telegram', '7');
    expect((await customers.handle(visitorOf()))?.isReachable).toBe(false);

    await customers.touch(visitorOf('7', { name: 'New' }), 'cus_other');

    expect(await customers.handlesOf(['cus_a', 'cus_other'])).toStrictEqual([
      { ...visitorOf('7', { name: 'New' }), customerId: 'cus_a', isReachable: true },
      { ...visitorOf('7', discord), customerId: 'cus_a', isReachable: true },
    ]);
    expect((await customers.handlesByName('NEW', 5)).map(({ chat }) => chat)).toEqual(['7']);
    expect(await customers.handlesByName('Old', 5)).toEqual([]);
    await customers.moveHandles('cus_a', 'cus_b');
    expect(await customers.handlesOf(['cus_a'])).toEqual([]);
    await customers.blankHandles('cus_b');
    expect((await customers.handlesOf(['cus_b'])).map(({ name }) => name)).toEqual([null, null]);
    expect(await customers.handlesByName('New', 5)).toEqual([]);
    await customers.removeHandles('cus_b');
    expect(await customers.handle(visitorOf('7'))).toBeNull();
  });

  test('a record is replaced only by a writer that has read its last version', async () => {
    const { customers } = fixture.database;
    const other = (await fixture.another()).customers;
    expect([await customers.insert(recordOf('cus_a')), await other.insert(recordOf('cus_a'))]).toEqual([
      true,
      false,
    ]);

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

  test('a customer has one code, which one of many takes, and which ends', async () => {
    const { customers } = fixture.database;
    const other = (await fixture.another()).customers;
    await customers.putCode({ customerId: 'cus_a', hash: 'old', expiresAt: START });
    await customers.putCode({ customerId: 'cus_a', hash: 'new', expiresAt: START + 1 });
    await customers.putCode({ customerId: 'cus_b', hash: 'b', expiresAt: START });

    expect(await customers.code('old')).toBeNull();
    expect(await customers.code('new')).toEqual({ customerId: 'cus_a', hash: 'new', expiresAt: START + 1 });
    expect((await Promise.all([customers.takeCode('new'), other.takeCode('new')])).toSorted()).toEqual([
      false,
      true,
    ]);
    expect([await customers.pruneCodes(START - 1), await customers.pruneCodes(START)]).toEqual([0, 1]);
    await customers.putCode({ customerId: 'cus_a', hash: 'last', expiresAt: START + 1 });
    await customers.removeCodesOf('cus_a');
    expect(await customers.code('last')).toBeNull();
  });

  test('who had a trial is remembered by marks', async () => {
    const { customers } = fixture.database;
    await customers.addPastTrials([]);
    await customers.addPastTrials(['a', 'b']);
    await customers.addPastTrials(['b', 'c']);

    expect([await customers.hasPastTrial(['x', 'c']), await customers.hasPastTrial(['x'])]).toEqual([
      true,
      false,
    ]);
    expect(await customers.hasPastTrial([])).toBe(false);
  });
});
