import { describe, expect, test } from 'vitest';
import type { RecordComparison } from '../../../src/core/record/record-report.ts';
import { comparisonText } from '../../../src/core/record/verdict.ts';

const comparison = (given: Partial<RecordComparison>) => ({
  name: 'drift_24h_minus_controls' as const,
  ...{ alerts: 300, events: 120, blocks: 80, mean: 0.021, low: 0.0098, high: 0.0322, per_alert: 0.03 },
  ...{ p: 0.001, p_adjusted: 0.002, verdict: 'above' as const },
  ...given,
});

describe('comparisonText', () => {
  test.each([
    ['above', {}, 'above the price (+2.1¢ a share, 95 % interval +1.0¢ to +3.2¢, 120 events).'],
    [
      'below',
      { verdict: 'below', mean: -0.021, low: -0.0322, high: -0.0098 },
      'below the price (−2.1¢ a share, 95 % interval −3.2¢ to −1.0¢, 120 events).',
    ],
    [
      'not shown to differ',
      { verdict: 'not_shown', mean: 0.0004, low: -0.01, events: 1_200 },
      'not shown to differ from the price (+0.0¢ a share, 95 % interval −1.0¢ to +3.2¢, 1,200 events).',
    ],
    ['too few', { verdict: 'too_few', blocks: 12 }, 'too few to say: 12 blocks, 50 are needed.'],
    ['one block', { verdict: 'too_few', blocks: 1 }, 'too few to say: one night.'],
    ['no block', { verdict: 'too_few', blocks: 0, mean: null }, 'too few to say: nothing is measured yet.'],
  ] as const)('%s is one plain sentence with its figures', (_name, given, expected) => {
    const subject = 'The price a day after an alert, against that after comparable buys';
    expect(comparisonText(comparison(given))).toBe(`${subject}: ${expected}`);
  });

  test('each comparison names what is compared', () => {
    expect(comparisonText(comparison({ name: 'follower_pro' }))).toMatch(
      /^The result of a follower with a Pro key, after fees: above/,
    );
  });
});
