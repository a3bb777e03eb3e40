import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { scoreOf } from '../../src/core/detection/score.ts';
import { ALERT_EXAMPLE, SAMPLE_EXAMPLE } from '../../src/http/views/examples.ts';

test('the alert that the API document shows has the score, and the reasons, of the rules in force', () => {
  const { alert_type: type, usdc_value: sizeUsdc, entry_price: price, details } = ALERT_EXAMPLE;
  const given = { ageDays: details.wallet_age_days, markets: 1, sizeUsdc, price, hoursToEnd: 14 };
  const input = { type: type as 'fresh', ...given, volume24h: null, clusterWallets: 0 };
  const { score, reasons } = scoreOf(DEFAULT_RULES.score, input);

  expect(ALERT_EXAMPLE).toMatchObject({
    signal_score: score,
    details: { reasons, rule_version: DEFAULT_RULES.version },
  });
});

test('the points of every example add up to its score', () => {
  for (const { signal_score: score, details } of [ALERT_EXAMPLE, SAMPLE_EXAMPLE])
    expect(details.reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
});
