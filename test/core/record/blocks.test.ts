import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '../../../src/core/record/blocks.ts';
import { measuredMarket } from '../../support/record/measured.ts';

const HOUR = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;

const settled = (event: string, hour: number, ...tags: string[]) =>
  measuredMarket({ event, tags, settledAt: hour * HOUR });

/** The blocks as lists of events. */
function grouped(markets: Parameters<typeof blocksOf>[0], asOf = NEVER): readonly string[][] {
  const blocks = [...blocksOf(markets, asOf)];
  return [...Map.groupBy(blocks, ([, block]) => block).values()].map((own) =>
    own.map(([event]) => event).sort(),
  );
}

describe('blocksOf', () => {
  test('events that share a tag and settle within 24 hours are one block', () => {
    const night = [settled('a', 0, 'us'), settled('b', 24, 'us', 'senate'), settled('c', 25, 'us')];
    expect(grouped(night)).toEqual([['a', 'b'], ['c']]);
    expect(grouped([settled('a', 0, 'us'), settled('b', 0, 'uk')])).toEqual([['a'], ['b']]);
  });

  test('a shared tag may be that of any event of the block', () => {
    expect(grouped([settled('a', 0, 'us'), settled('b', 1, 'us', 'oil'), settled('c', 2, 'oil')])).toEqual([
      ['a', 'b', 'c'],
    ]);
  });

  test('no block is longer than 24 hours, however close its neighbours are', () => {
    const chain = Array.from({ length: 60 }, (_, index) => settled(`e${index}`, index, 'us'));
    expect(grouped(chain).map(({ length }) => length)).toEqual([25, 25, 10]);
  });

  test('an event has the time of the last of its markets, and the tags of all', () => {
    const parts = [
      { ...settled('m1', 0, 'us'), event: 'e' },
      { ...settled('m2', 30, 'oil'), event: 'e' },
    ];
    expect(grouped([...parts, settled('a', 0, 'us')])).toEqual([['a'], ['e']]);
    expect(grouped([...parts, settled('b', 31, 'us')])).toEqual([['b', 'e']]);
  });

  test('what was decided together is one block, even if the payouts come days apart', () => {
    const late = (event: string, hour: number) => ({ ...settled(event, hour, 'us'), endsAt: 10 * HOUR });
    expect(grouped([late('a', 40), late('b', 240)])).toEqual([['a', 'b']]);
  });

  test('a settlement that was not known yet does not count', () => {
    const markets = [
      { ...settled('a', 10, 'us'), endsAt: 90 * HOUR },
      { ...settled('b', 12, 'us'), endsAt: 500 * HOUR },
    ];
    expect(grouped(markets, 20 * HOUR)).toEqual([['a', 'b']]);
    expect(grouped(markets, 11 * HOUR)).toEqual([['a'], ['b']]);
  });

  test('an event without a time is a block of its own', () => {
    const unknown = (event: string) => measuredMarket({ event, tags: ['us'] });
    expect(grouped([unknown('a'), unknown('b'), settled('c', 0, 'us')])).toHaveLength(3);
  });

  test('the sequence of the markets does not matter', () => {
    const market = fc
      .tuple(fc.nat(9), fc.nat(80), fc.subarray(['us', 'uk', 'oil']))
      .map(([event, hour, tags]) => settled(`e${event}`, hour, ...tags));
    const shuffled = fc
      .array(market, { maxLength: 20 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([markets, other]) => {
        expect(new Set(grouped(other).map(String))).toEqual(new Set(grouped(markets).map(String)));
      }),
    );
  });
});
