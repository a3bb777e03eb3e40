import { expect, test } from 'vitest';
import { TABLE_GROUPS } from '../../../../src/infra/database/transfer/transfer-table.ts';

const NAMES = TABLE_GROUPS.flat().map(({ name }) => name);

/** The first of a pair refers to the second, which is written before it. */
test.each([
  ['lease', 'journal'],
  ['delivery_cursor', 'deliveries'],
  ['deliveries', 'log'],
  ['log', 'alerts'],
  ['settlements', 'alerts'],
  ['alerts', 'listings'],
  ['observed_hours', 'observed_markets'],
])('%s are read before %s, so that nothing in a backup refers to what it lacks', (first, then) => {
  expect(NAMES.indexOf(first)).toBeGreaterThanOrEqual(0);
  expect(NAMES.indexOf(first)).toBeLessThan(NAMES.indexOf(then));
});
