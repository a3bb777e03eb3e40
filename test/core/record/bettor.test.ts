import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { moveInterval, type Offer, oneAtATime, playBets } from '../../../src/core/record/bettor.ts';

const ACCOUNTS = [1, 2, 4, 8].flatMap((shares) => [0.25, 0.5, 0.9].map((most) => ({ shares, most })));

function bet(day: number, price: number, value: number | null, given: Partial<Offer> = {}): Offer {
  const openedAt = day * DAY_MS;
  return { id: day, openedAt, price, closedAt: value === null ? null : openedAt + DAY_MS, value, ...given };
}

/** What twelve accounts have after bets, one at a time, by the formula of the method. */
function byFormula(bets: readonly (readonly [price: number, value: number])[]): number {
  return ACCOUNTS.reduce((sum, { shares, most }) => {
    const factors = bets.map(([price, value]) => 1 + Math.min(shares, most / price) * (value - price));
    return sum + factors.reduce((product, factor) => product * factor, 1 / 12);
  }, 0);
}

const play = (...bets: Offer[]) => playBets(bets, { threshold: 50 });
const cents = fc.integer({ min: 1, max: 99 }).map((count) => count / 100);

describe('the capital of a bettor', () => {
  test('is that of twelve accounts, each with a stake by its shares per dollar and its limit', () => {
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
    const left = (price: number) => ACCOUNTS.map(({ shares, most }) => 1 - Math.min(shares * price, most));
    const [stake] = [left(0.5).map((free) => 1 - free)];
    const expected = left(0.5).reduce(
      (sum, free, index) =>
        sum + (2 * (stake[index] as number) + free * free + 2 * free * (stake[index] as number)) / 12,
      0,
    );
    expect(play(first, second).bought.now).toBeCloseTo(expected, 12);
    const unknown = play(bet(0, 0.5, null));
    expect(unknown).toMatchObject({ bets: 1, open: 1 });
    expect(unknown.bought.now).toBeCloseTo(
      left(0.5).reduce((sum, free) => sum + free / 12, 0),
      12,
    );
  });

  test('keeps the moment at which it first reached the threshold', () => {
    const bets = Array.from({ length: 12 }, (_, day) => bet(day * 2, 0.5, day < 8 ? 1 : 0.2));
    const { bought, sold } = play(...bets);
    const day = Array.from({ length: 8 }, (_, index) => index).find(
      (index) => byFormula(Array.from({ length: index + 1 }, () => [0.5, 1] as const)) >= 50,
    );
    expect(bought.reachedAt).toBe(((day as number) * 2 + 1) * DAY_MS);
    expect(bought.now).toBeLessThan(bought.highest);
    expect(sold.reachedAt).toBeNull();
  });

  test('has its course: what it was after each closed bet, by time', () => {
    const bets = [bet(0, 0.5, 0.6), bet(2, 0.5, 0.3), bet(4, 0.5, null)];
    const { bought } = play(...bets);
    const first = [0.5, 0.6] as const;
    expect(bought.course).toEqual([
      { at: DAY_MS, capital: expect.closeTo(byFormula([first]), 12) },
      { at: 3 * DAY_MS, capital: expect.closeTo(byFormula([first, [0.5, 0.3]]), 12) },
    ]);
  });
});

describe('one bet at a time', () => {
  const idsOf = (...offers: Offer[]) => oneAtATime(offers).map(({ id }) => id);

  test('takes the first offer that comes after the last bet was closed', () => {
    const offers = [0, 0.5, 1, 1.1, 1.5, 2.2].map((day, index) => bet(day, 0.5, 0.6, { id: index }));
    // The second and the third open while the first is open, and in the second in which it is closed.
    expect(idsOf(...offers.toReversed())).toEqual([0, 3, 5]);
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

  test('has the moves at which neither bettor reached the threshold', () => {
    const bets = moves(150, 0.04);
    const { low, high } = moveInterval(bets, 50) as { low: number; high: number };
    const isReached = (move: number, side: 'bought' | 'sold') =>
      playBets(bets, { threshold: 50, move })[side].reachedAt !== null;
    expect([isReached(low - 0.001, 'bought'), isReached(low + 0.001, 'bought')]).toEqual([true, false]);
    expect([isReached(high + 0.001, 'sold'), isReached(high - 0.001, 'sold')]).toEqual([true, false]);
    expect([low > 0, low < 0.04, high > 0.04]).toEqual([true, true, true]);
  });

  test('has no end with few bets, and closes with more', () => {
    expect(moveInterval(moves(1, 0.04), 50)).toEqual({ low: null, high: null });
    const width = (count: number) => {
      const { low, high } = moveInterval(moves(count, 0), 50);
      return (high as number) - (low as number);
    };
    expect(width(400)).toBeLessThan(width(100));
  });
});
