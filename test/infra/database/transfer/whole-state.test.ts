import { expect, test } from 'vitest';
import { TABLE_GROUPS } from '../../../../src/infra/database/transfer/transfer-table.ts';
import { WholeState } from '../../../../src/infra/database/transfer/whole-state.ts';

const group = TABLE_GROUPS.find((tables) => tables.some(({ name }) => name === 'customers')) ?? [];
const owned = group.filter(({ declaration }) => 'customerId' in declaration.fields);

test.each(owned)(
  'a row of $name without its customer is read again, and believed at the second time',
  (table) => {
    const state = new WholeState();
    const read = (...customers: string[]) => {
      state.begin();
      state.take(table, { id: 'a', customerId: 'cus_a' });
      for (const customer of group.filter(({ name }) => name === 'customers'))
        for (const id of customers) state.take(customer, { id });
      return state.isWhole(group);
    };
    expect([read('cus_a'), read('cus_b'), read('cus_a'), read(), read()]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  },
);

const NAMES = TABLE_GROUPS.flat().map(({ name }) => name);

/** The first of a pair refers to the second, which is written before it. */
test.each([
  ['delivery_cursor', 'log'],
  ['log', 'alerts'],
  ['log', 'blind_windows'],
  ['settlements', 'alerts'],
  ['alerts', 'listings'],
  ['api_keys', 'customers'],
  ['followers', 'customers'],
  ['observed_hours', 'observed_markets'],
])('%s are read before %s, so that nothing in a backup refers to what it lacks', (first, then) => {
  expect(NAMES.indexOf(first)).toBeGreaterThanOrEqual(0);
  expect(NAMES.indexOf(first)).toBeLessThan(NAMES.indexOf(then));
});
