import { COMPARISONS } from '../../src/core/detection/record-plan.ts';
import {
  FIGURES,
  type FigureName,
  type RecordFigure,
  type RecordPeriod,
  type RecordReport,
} from '../../src/core/record/record-report.ts';

interface Given {
  readonly months?: number;
  readonly ruleVersion?: string;
  /** Of every figure. */
  readonly mean?: number | null;
  /** Of all counts. */
  readonly count?: number;
}

/** A record of one period in the plan, with a verdict. */
export function recordReportOf(given: Given = {}): RecordReport {
  const period = periodOf(given);
  return {
    as_of: '2027-04-01T00:00:00.000Z',
    rules: { version: period.rule_version, sha256: 'ab'.repeat(32) },
    plan: {
      starts_at: '2027-01-01',
      verdict_days: ['2027-03-31'],
      comparisons: COMPARISONS.map((name) => ({ name, weight: 0.2 })),
    },
    conclusion: period.conclusion,
    periods: [period],
  };
}

function periodOf({ months = 3, ruleVersion = '3', mean = -0.0123, count = 12 }: Given): RecordPeriod {
  const figure: RecordFigure = {
    alerts: count,
    events: 5,
    blocks: 4,
    mean,
    low: mean === null ? null : mean - 0.01,
    high: mean === null ? null : mean + 0.01,
    per_alert: mean,
  };
  const group = (name: string) => {
    const part = { alerts: count, events: 5, mean };
    return { name, alerts: count, events: 5, drift_24h_minus_controls: part, won_minus_price: part };
  };
  const follower = { settled: 3, settlement: 4, waiting: 1, not_fillable: 2, fee_unknown: 1, unobserved: 1 };
  const comparisons = COMPARISONS.map((name) => {
    const decision = { weight: 0.2, p: 0.031234, p_adjusted: 0.156, verdict: 'not_shown' } as const;
    return { ...figure, ...decision, name, text: 'not shown to differ from the price' };
  });
  return {
    rule_version: ruleVersion,
    stage: 'plan',
    first_alert_at: '2027-01-02T03:04:05.000Z',
    last_alert_at: '2027-03-30T03:04:05.000Z',
    conclusion: 'Not shown to differ from the price.',
    counts: {
      ...{ alerts: 2 * count, counted: count, events: 5, blocks: 4, settled: 8, few_controls: 2 },
      drift_24h: { measured: 6, pending: 1, stale: 3, unobserved: 2 },
      follower_free: follower,
      follower_pro: follower,
    },
    figures: Object.fromEntries(FIGURES.map((name) => [name, figure])) as Record<FigureName, RecordFigure>,
    controls: { drawn: 60, measured: 50, mean_usdc: 812.5, alerts_mean_usdc: 2_400.1, same_outcome: 0.52 },
    verdicts: [{ day: '2027-03-31', text: 'Not shown to differ from the price.', comparisons }],
    next_verdict_at: '2027-07-01T00:00:00.000Z',
    groups: {
      months: Array.from({ length: months }, (_, index) =>
        group(`2027-${String(index + 1).padStart(2, '0')}`),
      ),
      types: [group('fresh'), group('fresh_accumulator')],
      bands: [group('very_high')],
      categories: [group('politics')],
    },
  };
}
