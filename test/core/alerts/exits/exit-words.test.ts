import { expect, test } from 'vitest';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { exitBrief, exitWords, positionWords } from '../../../../src/core/alerts/exits/exit-words.ts';
import { exitOf } from '../../../support/alerts.ts';

const DAY_MS = 86_400_000;
const words = (given: Partial<Exit> = {}) => exitWords(exitOf({ number: 1, ...given }));
const { alertedAt } = exitOf({ number: 1 });

test.each<[string, Partial<Exit>]>([
  ['Sold 60% at 71¢ after 3 h: +$7,680', {}],
  [
    'Sold 97% at 98¢ after 2 days: +$33,368',
    {
      ...{ level: 'out', heldShares: 2_400, salePrice: 0.98, profitUsdc: 33_368 },
      tradedAt: alertedAt + 2 * DAY_MS,
    },
  ],
  ['Hedged 60% by buying the other outcome after 3 h', { soldShares: 0, salePrice: null, profitUsdc: null }],
  [
    '75% closed, part sold at 50¢ after 3 h: −$500',
    { heldShares: 20_000, soldShares: 10_000, salePrice: 0.5, profitUsdc: -500 },
  ],
  // Less than a share is no hedge.
  ['Sold 60% at 71¢ after 3 h: +$7,680', { soldShares: 47_999.5 }],
  // What is not all must not read as all.
  ['Sold 99% at 71¢ after 3 h: +$7,680', { heldShares: 8 }],
  // Dust is nothing.
  ['Sold 100% at 71¢ after 3 h: +$7,680', { heldShares: 3 }],
  ['Sold 100% at 71¢ after 0 s: +$7,680', { heldShares: 0, tradedAt: alertedAt }],
])('%s', (expected, given) => {
  expect(words(given)).toBe(expected);
});

test('a list has an exit in a few words', () => {
  const brief = (given: Partial<Exit>) => exitBrief(exitOf({ number: 1, ...given }));
  expect(brief({})).toBe('sold 60% at 71¢');
  expect(brief({ heldShares: 8 })).toBe('sold 99% at 71¢');
  expect(brief({ soldShares: 0, salePrice: null })).toBe('hedged 60% by buying the other outcome');
  expect(brief({ soldShares: 10_000 })).toBe('60% closed, part sold at 71¢');
});

test('a position without an exit is called unsold only where it is known', () => {
  expect(positionWords({ state: 'none', exits: [] })).toBe('No sale seen.');
  expect(positionWords({ state: 'unknown', exits: [] })).toMatch(/is not known: trades were missed/);
});

test('a position is told by its last exit', () => {
  const half = exitOf({ number: 1 });
  const out = exitOf({ number: 2, level: 'out', heldShares: 0 });
  expect(positionWords({ state: 'out', exits: [half, out] })).toBe(`${exitWords(out)}.`);
});
