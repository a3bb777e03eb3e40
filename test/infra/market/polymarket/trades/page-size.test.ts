import { expect, test } from 'vitest';
import { PageSize, rowsFor } from '../../../../../src/infra/market/polymarket/trades/page-size.ts';

test.each([
  [
    'what is listed again, the most that a walk brought and a tenth of it, and the tail',
    300,
    [120, 200, 40],
    530,
  ],
  ['a quiet market: never fewer than 50', 0, [0], 50],
  ['never more than the longest page', 900, [200], 1_000],
  ['the longest page while nothing is known', 0, [], 1_000],
])('a page has the rows of %s', (_name, kept, brought, rows) => {
  expect(rowsFor(kept, brought)).toBe(rows);
});

/** Times of the rows of a list with ten trades in each of so many seconds, newest first. */
const times = (newest: number, seconds: number) =>
  Array.from({ length: seconds * 10 }, (_, row) => newest - Math.floor(row / 10));

test('the first walks list the longest page; from the second on the next is known from the last', () => {
  const size = new PageSize();
  expect(size.rows).toBe(1_000);
  size.walked(times(100, 100), { floor: 1, next: 90 });
  expect(size.rows).toBe(1_000);
  // From 94 on there are 11 seconds that are known; the last 4 were new.
  size.walked(times(104, 100), { floor: 90, next: 94 });
  expect(size.rows).toBe(110 + 44 + 10);
});

test('a burst keeps pages long for the next walks, and no longer', () => {
  const size = new PageSize();
  size.walked(times(100, 50), { floor: 0, next: 90 });
  size.walked(times(130, 50), { floor: 90, next: 124 });
  // The last 7 seconds, and the 30 of the burst with a tenth more.
  expect(size.rows).toBe(70 + 330 + 10);
  for (let walk = 1; walk <= 16; walk += 1)
    size.walked(times(130 + walk * 4, 50), { floor: 120 + walk * 4, next: 124 + walk * 4 });
  expect(size.rows).toBe(70 + 44 + 10);
});

test('after a walk of several pages the next one begins with the longest', () => {
  const size = new PageSize();
  size.walked(times(100, 50), { floor: 0, next: 90 });
  size.walked(times(104, 50), { floor: 90, next: 94 });
  size.walked(null, { floor: 94, next: 200 });
  expect(size.rows).toBe(1_000);
});
