import { expect, test } from 'vitest';
import { oldestInHostTime } from '../../../../src/infra/market/polymarket/coverage-in-market-time.ts';

test('what a restart has to read again is kept in the time of the host, as all of the record', () => {
  const toHost = (at: number) => at - 3_600_000;
  expect(oldestInHostTime([null, 3_700_000, 3_800_000], { toHost })).toBe(100_000);
  expect(oldestInHostTime([null], { toHost })).toBeNull();
});
