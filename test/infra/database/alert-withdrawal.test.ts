import { expect, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('a withdrawn alert', (fixture) => {
  test('has its first mark and is otherwise as it was, wherever it is read', async () => {
    const { alerts } = fixture.database;
    const [first, second] = [alertOf({ id: 1 }), alertOf({ id: 2 })];
    await alerts.append(first, second);
    await alerts.withdraw(1, { at: START, reason: null });
    await alerts.withdraw(1, { at: START + 1, reason: 'wrong market' });

    const marked = { ...first, withdrawn: { at: START, reason: null } };
    const others = (await fixture.another()).alerts;
    expect(await others.byId(1)).toStrictEqual(marked);
    expect(await others.after(0, 10)).toStrictEqual([marked, second]);
    expect((await others.search({}, { page: 1, pageSize: 10 })).alerts).toStrictEqual([second, marked]);
    expect((await others.stats({ dayStart: 0 })).totalAlerts).toBe(2);
  });
});
