import { expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import { scoreOf } from '../../src/core/detection/score.ts';
import { ALERT_EXAMPLE, SAMPLE_EXAMPLE } from '../../src/http/views/examples.ts';

test('the alert that the API document shows has the score, and the reasons, of the rules in force', () => {
  const { alert_type: type, usdc_value: measureUsdc, details } = ALERT_EXAMPLE;
  const { wallet_age_days: ageDays, to_win_usdc: toWinUsdc } = details;
  const given = { ageDays, markets: 1, measureUsdc, toWinUsdc, hoursToEnd: 14 };
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
