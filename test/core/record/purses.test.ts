import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { type Bet, mirrored, moveInterval, oneAtATime, playBets } from '../../../src/core/record/purses.ts';

const STAKED = [0.25, 0.5, 0.9];

function bet(day: number, price: number, value: number | null, given: Partial<Bet> = {}): Bet {
  const openedAt = day * DAY_MS;
  return { id: day, openedAt, price, closedAt: value === null ? null : openedAt + DAY_MS, value, ...given };
}

/** What three purses have after bets, one at a time, by the formula of the method. */
function byFormula(bets: readonly (readonly [price: number, value: number])[]): number {
  return STAKED.reduce((sum, staked) => {
    const factors = bets.map(([price, value]) => 1 + staked * (value / price - 1));
    return sum + factors.reduce((product, factor) => product * factor, 1 / 3);
  }, 0);
}

const play = (...bets: Bet[]) => ({ bought: playBets(bets), sold: playBets(mirrored(bets)) });
const cents = fc.integer({ min: 1, max: 99 }).map((count) => count / 100);

describe('the capital of a bettor', () => {
  test('is that of three purses, which stake a quarter, half and nine tenths of what they have', () => {
    const values = [
      [0.5, 0.6],
      [0.05, 0.04],
      [0.9, 1],
    ] as const;
    const { bought, sold } = play(...values.map(([price, value], day) => bet(day * 2, price, value)));
    expect(bought.now).toBeCloseTo(byFormula(values), 12);
    expect(sold.now).toBeCloseTo(byFormula(values.map(([price, value]) => [1 - price, 1 - value])), 12);
  });

  test('does not change on average where prices are fair, however prices jump and whatever the bets are', () => {
    const game = fc.tuple(cents, cents, cents).map((three) => three.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(game, { minLength: 1, maxLength: 5 }), (games) => {
        let [mean, chances] = [{ bought: 0, sold: 0 }, 0];
        // Each price ends at the one or the other value, so often that its mean is the price: all ways.
        for (let way = 0; way < 2 ** games.length; way += 1) {
          let chance = 1;
          const bets = games.map(([low = 0, price = 0, high = 0], day) => {
            const up = high === low ? 0.5 : (price - low) / (high - low);
            const isUp = ((way >> day) & 1) === 1;
            chance *= isUp ? up : 1 - up;
            return bet(day * 2, price, isUp ? high : low);
          });
          const { bought, sold } = play(...bets);
          mean = { bought: mean.bought + chance * bought.now, sold: mean.sold + chance * sold.now };
          chances += chance;
        }
        expect([chances, mean.bought, mean.sold]).toEqual([1, 1, 1].map((one) => expect.closeTo(one, 9)));
      }),
      { numRuns: 60 },
    );
  });

  test('stakes what is free when a bet opens, and counts open and unknown bets as lost', () => {
    const first = bet(0, 0.5, 1, { closedAt: 3 * DAY_MS });
    const second = bet(1, 0.5, 1, { closedAt: 2 * DAY_MS });
    const mean = (of: (staked: number) => number) =>
      STAKED.reduce((sum, staked) => sum + of(staked) / STAKED.length, 0);
    const { bought } = play(first, second);
    // Both double their stakes: the first of the whole, the second of what the first left.
    expect(bought.now).toBeCloseTo(
      mean((staked) => 2 * staked + (1 - staked) * (1 + staked)),
      12,
    );
    expect(play(bet(0, 0.5, null)).bought.now).toBeCloseTo(
      mean((staked) => 1 - staked),
      12,
    );
  });

  test('has its course: what it was after each closed bet, by time, and at most', () => {
    const { bought } = play(bet(0, 0.5, 0.6), bet(2, 0.5, 0.3), bet(4, 0.5, null));
    const first = [0.5, 0.6] as const;
    expect(bought.course).toEqual([
      { at: DAY_MS, capital: expect.closeTo(byFormula([first]), 12) },
      { at: 3 * DAY_MS, capital: expect.closeTo(byFormula([first, [0.5, 0.3]]), 12) },
    ]);
    expect(bought.highest).toBeCloseTo(byFormula([first]), 12);
  });

  test('that is opened in the second in which another is closed does not stake what that one pays', () => {
    const [first, second] = [bet(0, 0.5, 1), bet(1, 0.5, 1)];
    const later = { ...second, openedAt: second.openedAt + 1 };
    expect(play(first, second).bought.now).toBeLessThan(play(first, later).bought.now);
  });
});

describe('one bet at a time', () => {
  const idsOf = (...bets: Bet[]) => oneAtATime(bets).map(({ id }) => id);

  test('takes the first bet that opens after the last one was closed', () => {
    const bets = [0, 0.5, 1, 1.1, 1.5, 2.2].map((day, index) => bet(day, 0.5, 0.6, { id: index }));
    // The second and the third open while the first is open, and in the second in which it is closed.
    expect(idsOf(...bets.toReversed())).toEqual([0, 3, 5]);
  });

  test('of two in one second takes the alert with the lower id', () => {
    expect(idsOf(bet(0, 0.4, 0.5, { id: 9 }), bet(0, 0.6, 0.5, { id: 7 }))).toEqual([7]);
  });

  test('waits 48 hours for an end that is late or unknown', () => {
    const late = bet(0, 0.5, 0.6, { id: 1, closedAt: 9 * DAY_MS });
    const unknown = bet(0, 0.5, null, { id: 1 });
    for (const first of [late, unknown])
      expect(idsOf(first, bet(2, 0.5, 0.6, { id: 2 }), bet(2.1, 0.5, 0.6, { id: 3 }))).toEqual([1, 3]);
  });
});

describe('the interval of the mean move', () => {
  const moves = (count: number, move: number) =>
    Array.from({ length: count }, (_, day) => bet(day * 2, 0.5, 0.5 + move + (day % 2 === 0 ? 0.05 : -0.05)));
  const intervalOf = (bets: readonly Bet[], mean: number) => moveInterval(bets, { threshold: 50, mean });
  const isReached = (bets: readonly Bet[], move: number, side: 'bought' | 'sold') =>
    play(...bets.map((each) => ({ ...each, price: each.price + move })))[side].highest >= 50;

  test('has the moves at which neither bettor reached the threshold', () => {
    const bets = moves(150, 0.04);
    const { low, high } = intervalOf(bets, 0.04) as { low: number; high: number };
    expect([isReached(bets, low - 0.001, 'bought'), isReached(bets, low + 0.001, 'bought')]).toEqual([
      true,
      false,
    ]);
    expect([isReached(bets, high + 0.001, 'sold'), isReached(bets, high - 0.001, 'sold')]).toEqual([
      true,
      false,
    ]);
    expect([low > 0, low < 0.04, high > 0.04]).toEqual([true, true, true]);
  });

  test('need not have the mean, where what was reached before excludes it', () => {
    const bets = [
      ...moves(100, 0.1),
      ...moves(100, -0.1).map((each, index) => bet(200 + 2 * index, 0.5, each.value)),
    ];
    const { low } = intervalOf(bets, 0) as { low: number };
    expect(low).toBeGreaterThan(0);
    expect([isReached(bets, low - 0.001, 'bought'), isReached(bets, low + 0.001, 'bought')]).toEqual([
      true,
      false,
    ]);
  });

  test('has no end with few bets, and closes with more', () => {
    expect(intervalOf(moves(1, 0.04), 0.04)).toEqual({ low: null, high: null });
    const width = (count: number) => {
      const { low, high } = intervalOf(moves(count, 0), 0);
      return (high as number) - (low as number);
    };
    expect(width(400)).toBeLessThan(width(100));
  });
});
