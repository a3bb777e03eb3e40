import { describe, expect, test } from 'vitest';
import { playWorld } from '../../../scripts/record-sim/bettor-world.ts';
import { isFew, quantile, shareOf } from '../../../scripts/record-sim/tally.ts';
import { FAIR_WORLDS, worldNamed } from '../../../scripts/record-sim/worlds.ts';

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the bettor alone', () => {
  test.each(FAIR_WORLDS)('moves nowhere on average in the world $name, and is rarely wrong', (world) => {
    const runs = seeds(60).map((seed) => playWorld(world, seed, 100));
    const moves = runs.flatMap(({ played }) =>
      played.flatMap(({ price, value }) => (value === null ? [] : value - price)),
    );
    const mean = moves.reduce((sum, move) => sum + move, 0) / moves.length;
    const deviation = Math.sqrt(moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / moves.length);
    expect(Math.abs(mean)).toBeLessThan((4 * deviation) / Math.sqrt(moves.length));
    for (const side of ['bought', 'sold'] as const)
      expect(runs.filter((run) => run[side].reachedAt !== null).length).toBeLessThanOrEqual(4);
  });

  test('finds 3 ¢, and sooner than 2 ¢', () => {
    const betsIn = (name: string) =>
      seeds(20).map((seed) => {
        const { played, bought } = playWorld(worldNamed(name), seed, 400);
        return played.findIndex(({ closedAt }) => closedAt === bought.reachedAt);
      });
    const [three, two] = [betsIn('3c'), betsIn('2c')];
    expect(three.every((bets) => bets > 0)).toBe(true);
    expect(quantile(three, 0.5)).toBeLessThan(quantile(two, 0.5));
  });

  test('has as many bets as are asked for, one at a time', () => {
    const { played, bets } = playWorld(worldNamed('fair'), 1, 50);
    expect(bets).toBe(50);
    for (const [index, { openedAt }] of played.entries())
      if (index > 0) expect(openedAt).toBeGreaterThan(played[index - 1]?.closedAt as number);
  });
});

test('a share has the interval of Wilson, and is few up to 2 % with an upper end of at most 5 %', () => {
  // 20 of 100: 13.34 % to 28.88 % (Newcombe 1998, method 3 without continuity correction, computed by its formula).
  const { low, high } = shareOf(20, 100);
  expect([low, high].map((bound) => Math.round(bound * 10_000))).toEqual([1_334, 2_888]);
  expect([shareOf(80, 4_000), shareOf(81, 4_000), shareOf(0, 40)].map(isFew)).toEqual([true, false, false]);
});
