import { expect, test } from 'vitest';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { exitBrief, exitWords, positionWords } from '../../../../src/core/alerts/exits/exit-words.ts';
import { exitOf } from '../../../support/alerts.ts';

const DAY_MS = 86_400_000;
const words = (given: Partial<Exit> = {}) => exitWords(exitOf({ number: 1, ...given }));
const { alertedAt } = exitOf({ number: 1 });

test.each<[string, Partial<Exit>]>([
  ['Sold 60 % at 71¢ after 3 h: +$7,680', {}],
  [
    'Cashed out: sold 97 % at 98¢ after 2 days: +$33,368',
    {
      ...{ kind: 'cashed_out', level: 'out', heldShares: 2_400, salePrice: 0.98, profitUsdc: 33_368 },
      tradedAt: alertedAt + 2 * DAY_MS,
    },
  ],
  [
    'Hedged 60 % by buying the other outcome after 3 h',
    { kind: 'hedged', soldShares: 0, hedgedShares: 48_000, salePrice: null, profitUsdc: null },
  ],
  [
    '75 % closed after 3 h: part sold at 50¢ (−$500), the rest hedged',
    { kind: 'hedged', heldShares: 20_000, hedgedShares: 50_000, salePrice: 0.5, profitUsdc: -500 },
  ],
  ['60 % closed after 3 h: part sold at 71¢ (+$7,680), the rest hedged', { hedgedShares: 5_000 }],
  [
    'Cashed out: 60 % closed after 3 h: part sold at 97¢ (+$7,680), the rest hedged; 1 of 3 wallets is out',
    { kind: 'cashed_out', hedgedShares: 1, salePrice: 0.97, members: { total: 3, out: 1 } },
  ],
  [
    'Sold 60 % at 71¢ after 3 h: +$7,680; 2 of 3 wallets are out',
    { isCluster: true, members: { total: 3, out: 2 } },
  ],
  // What is not all must not read as all.
  ['Sold 99 % at 71¢ after 3 h: +$7,680', { heldShares: 8 }],
  // Dust is nothing.
  ['Sold 100 % at 71¢ after 3 h: +$7,680', { heldShares: 3 }],
  ['Sold 100 % at 71¢ after under a minute: +$7,680', { heldShares: 0, tradedAt: alertedAt }],
  ['Exit 12 is withdrawn: trades that became known later show that more was held', { corrects: 12 }],
])('%s', (expected, given) => {
  expect(words(given)).toBe(expected);
});

test('a list has an exit in a few words', () => {
  const brief = (given: Partial<Exit>) => exitBrief(exitOf({ number: 1, ...given }));
  expect(brief({})).toBe('sold 60 % at 71¢');
  expect(brief({ heldShares: 8 })).toBe('sold 99 % at 71¢');
  expect(brief({ salePrice: null, hedgedShares: 48_000 })).toBe('hedged 60 %');
  expect(brief({ hedgedShares: 5_000 })).toBe('60 % closed, part sold at 71¢');
});

test('a position without an exit is called unsold only where it is known', () => {
  expect(positionWords({ state: 'none', exits: [] })).toBe('No sale seen.');
  expect(positionWords({ state: 'unknown', exits: [] })).toMatch(/is not known: trades were missed/);
});

test('a position is told by its last exit that holds', () => {
  const half = exitOf({ number: 1 });
  const out = exitOf({ number: 2, level: 'out', heldShares: 0 });
  const correction = exitOf({ number: 3, corrects: 2 });
  const told = (...exits: readonly Exit[]) => positionWords({ state: 'out', exits });
  expect([told(half), told(half, out), told(half, out, correction)]).toEqual(
    [half, out, half].map((exit) => `${exitWords(exit)}.`),
  );
});
