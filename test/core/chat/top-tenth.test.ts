import { describe, expect, test } from 'vitest';
import { topTenthFrom } from '../../../src/core/chat/post-choice.ts';

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
