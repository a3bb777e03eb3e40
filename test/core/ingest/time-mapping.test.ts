import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHistoryTime, publishedTime, tapeTime } from '../../../src/core/trades/source/source.ts';

const played = { pivot: 1_000_000, origin: 9_000_000, speed: 60, hasHistory: true };
const skips = [
  { from: 1_060_000, until: 1_120_000 },
  { from: 1_120_000, until: 1_180_000 },
  { from: 1_500_000, until: 1_900_000 },
];
const skipped = fc.constantFrom([], skips.slice(0, 1), skips);

describe('time mapping', () => {
  test('what lies before the pivot is moved by a constant, what follows at the pace of the run', () => {
    expect(publishedTime(played, 400_000)).toBe(8_400_000);
    expect(publishedTime(played, 1_000_000)).toBe(9_000_000);
    expect(publishedTime(played, 1_060_000)).toBe(9_001_000);
  });

  test('speed 0 moves everything by the constant', () => {
    expect(publishedTime({ ...played, speed: 0, hasHistory: false }, 1_060_000)).toBe(9_060_000);
  });

  test('what is skipped takes no time, and what follows it comes that much earlier', () => {
    const mapping = { ...played, skips };
    expect(publishedTime(mapping, 1_060_000)).toBe(9_001_000);
    expect(publishedTime(mapping, 1_100_000)).toBe(9_001_000);
    expect(publishedTime(mapping, 1_180_000)).toBe(9_001_000);
    expect(publishedTime(mapping, 1_240_000)).toBe(9_002_000);
    expect(tapeTime(mapping, 9_000_999)).toBe(1_059_940);
    expect(tapeTime(mapping, 9_001_000)).toBe(1_180_000);
    expect(tapeTime(mapping, 8_400_000)).toBe(400_000);
  });

  test('history ends at the pivot', () => {
    expect(isHistoryTime(played, 999_999)).toBe(true);
    expect(isHistoryTime(played, 1_000_000)).toBe(false);
    expect(isHistoryTime({ ...played, hasHistory: false }, 0)).toBe(false);
  });

  test('published time never runs backwards', () => {
    const time = fc.integer({ min: 0, max: 2_000_000 });
    fc.assert(
      fc.property(time, time, fc.constantFrom(0, 0.5, 1, 60, 1_000), skipped, (a, b, speed, skips) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        const mapping = { ...played, speed, skips };
        expect(publishedTime(mapping, early)).toBeLessThanOrEqual(publishedTime(mapping, late));
      }),
    );
  });

  test('a published time gives a tape time that is public by then, and none that was public a millisecond earlier is after it', () => {
    const time = fc.integer({ min: 0, max: 2_000_000 });
    fc.assert(
      fc.property(time, fc.constantFrom(0, 0.5, 1, 60, 1_000), skipped, (at, speed, skips) => {
        const mapping = { ...played, speed, skips };
        const published = publishedTime(mapping, at);
        expect(publishedTime(mapping, tapeTime(mapping, published))).toBeLessThanOrEqual(published);
        expect(tapeTime(mapping, published + 1)).toBeGreaterThanOrEqual(at);
      }),
    );
  });
});
