import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasPlace, type PlaceRights, topTenthFrom } from '../../../src/core/chat/places.ts';

const PLACES = { all: 20, kept: { isTop: 5, isFollow: 5 } };
const [TOP, FOLLOW, BOTH, PLAIN] = [{ isTop: true }, { isFollow: true }, { isTop: true, isFollow: true }, {}];
const many = (count: number, rights: PlaceRights) => Array.from({ length: count }, () => rights);

describe('a place of the day', () => {
  test('is for anything only while it is not kept for something else', () => {
    expect(hasPlace(PLAIN, many(9, PLAIN), PLACES)).toBe(true);
    expect(hasPlace(PLAIN, many(10, PLAIN), PLACES)).toBe(false);
    expect(hasPlace(FOLLOW, many(10, PLAIN), PLACES)).toBe(true);
    expect(hasPlace(FOLLOW, [...many(10, PLAIN), ...many(5, FOLLOW)], PLACES)).toBe(false);
    expect(hasPlace(TOP, [...many(10, PLAIN), ...many(5, FOLLOW)], PLACES)).toBe(true);
    expect(hasPlace(TOP, [...many(10, PLAIN), ...many(5, TOP)], PLACES)).toBe(false);
    expect(hasPlace(BOTH, [...many(10, PLAIN), ...many(5, TOP), ...many(4, FOLLOW)], PLACES)).toBe(true);
    expect(hasPlace(BOTH, [...many(10, PLAIN), ...many(5, TOP), ...many(5, FOLLOW)], PLACES)).toBe(false);
  });

  test('that is kept is taken before the others: the best of a day leave ten for anything', () => {
    expect(hasPlace(PLAIN, [...many(5, TOP), ...many(5, FOLLOW), ...many(9, PLAIN)], PLACES)).toBe(true);
    expect(hasPlace(PLAIN, [...many(5, TOP), ...many(6, FOLLOW), ...many(9, PLAIN)], PLACES)).toBe(false);
    expect(hasPlace(PLAIN, many(10, BOTH), PLACES)).toBe(true);
  });

  test('does not exist on a day without places', () => {
    expect(hasPlace(BOTH, [], { all: 0, kept: { isTop: 0, isFollow: 0 } })).toBe(false);
  });

  const rights = fc.record({ isTop: fc.boolean(), isFollow: fc.boolean() });

  test('is given exactly as long as all fit, each into a place that it may take', () => {
    fc.assert(
      fc.property(fc.array(rights, { minLength: 15, maxLength: 40 }), (wanted) => {
        const taken: PlaceRights[] = [];
        for (const one of wanted) {
          const fits = canSeat([...taken, one]);
          expect(hasPlace(one, taken, PLACES)).toBe(fits);
          if (fits) taken.push(one);
        }
      }),
    );
  });

  /** By trying: those with one right, then those with both, then the rest; each takes the narrowest place first. */
  function canSeat(all: readonly PlaceRights[]): boolean {
    const free = { top: 5, follow: 5, any: 10 };
    const seat = (...kinds: (keyof typeof free)[]) => {
      const kind = kinds.find((one) => free[one] > 0);
      if (kind !== undefined) free[kind] -= 1;
      return kind !== undefined;
    };
    const isSeated = ({ isTop, isFollow }: PlaceRights) => {
      if (isTop && isFollow) return seat('top', 'follow', 'any');
      if (isTop) return seat('top', 'any');
      return isFollow ? seat('follow', 'any') : seat('any');
    };
    const flexibility = ({ isTop, isFollow }: PlaceRights) => Number(isTop) + Number(isFollow);
    const inOrder = all.toSorted((a, b) => (flexibility(a) || 3) - (flexibility(b) || 3));
    return inOrder.every(isSeated);
  }
});

describe('the top tenth', () => {
  test('begins at the score that a tenth of the week reached, rounded up', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(topTenthFrom(hundred)).toBe(91);
    expect(topTenthFrom([...hundred, 0])).toBe(90);
    expect(topTenthFrom(many20(63))).toBe(63);
  });

  test('begins at 80 while the week has fewer than 20 scores', () => {
    expect(topTenthFrom([])).toBe(80);
    expect(topTenthFrom(many20(63).slice(1))).toBe(80);
  });

  const many20 = (score: number) => Array.from({ length: 20 }, () => score);
});
