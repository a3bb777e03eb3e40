import { expect, test } from 'vitest';
import { recordLine } from '../../../../bots/shared/posts/digest-post.ts';
import { windowWords } from '../../../../src/core/alerts/figures/window-words.ts';

const now = Date.UTC(2026, 10, 28, 12);

test.for([
  [now, 'last 24 hours'],
  [now - 300_000, 'last 24 hours'],
  [Date.UTC(2022, 10, 10, 23, 59), '24 hours to 2022-11-10'],
] as const)('a window that ends at %i is the %s', ([until, words]) => {
  expect(windowWords('24 hours', { until, now })).toBe(words);
});

test('results in chat are of the window that they name', () => {
  const window = windowWords('30 days', { until: Date.UTC(2022, 10, 10), now });
  const settled = { resolved: 2, markets: 1, won: 1, averageEntry: 0.5 };
  expect(recordLine(settled, window)).toMatch(
    /^30 days to 2022-11-10: bets in 1 settled market, 1 of 2 right/,
  );
  expect(recordLine({ ...settled, resolved: 0 }, window)).toBe(
    'No bet from the 30 days to 2022-11-10 has settled yet.',
  );
});
