import {
  FIGURES,
  type FigureName,
  type RecordMean,
  type RecordReport,
  type RecordStage,
} from '../../src/core/record/record-report.ts';

interface Given {
  readonly months?: number;
  readonly mean?: number | null;
  readonly count?: number;
}

export function recordReportOf(given: Given = {}): RecordReport {
  const stage = stageOf(given);
  return {
    as_of: '2027-04-01T00:00:00.000Z',
    rules: { version: '4', sha256: 'ab'.repeat(32) },
    plan: { starts_at: '2027-01-01' },
    conclusion: stage.conclusion,
    results: '3 of 8 settled bets were right (38%). Breaking even at those prices took 41%.',
    stages: [stage],
    withdrawn: [],
  };
}

const COURSE = [
  { at: '2027-01-02T04:00:00.000Z', bought: 1, sold: 1 },
  { at: '2027-02-03T04:00:00.000Z', bought: 1.4, sold: 0.7 },
  { at: '2027-03-30T04:00:00.000Z', bought: 0.93, sold: 0.93 },
];

function stageOf({ months = 3, mean = -0.0123, count = 12 }: Given): RecordStage {
  const figure: RecordMean = { alerts: count, events: 5, mean, per_alert: mean };
  const group = (name: string) => ({
    ...{ name, alerts: count, events: 5 },
    move_24h: figure,
    won_minus_price: figure,
  });
  const follower = { settled: 3, settlement: 4, waiting: 1, not_fillable: 2, fee_unknown: 1, unobserved: 1 };
  const capital = { now: 0.93, highest: 1.4, reached_at: null };
  const bettor = { bets: count, open: 1, bought: capital, sold: capital, verdict: 'not_shown' } as const;
  return {
    stage: 'plan',
    first_alert_at: '2027-01-02T03:04:05.000Z',
    last_alert_at: '2027-03-30T03:04:05.000Z',
    conclusion: 'No evidence yet that following alerts pays.',
    bettor: { ...bettor, threshold: 50, mean, low: -0.021, high: 0.034, course: COURSE },
    holder: { ...bettor, threshold: 200 },
    counts: {
      ...{ alerts: 2 * count, counted: count, events: 5, settled: 8, right: 3, wrong: 5 },
      move_24h: { measured: 6, pending: 1, no_price: 3, unobserved: 2 },
      follower_free: follower,
      follower_pro: follower,
    },
    coverage: { measured: figure, rest: figure },
    figures: Object.fromEntries(FIGURES.map((name) => [name, figure])) as Record<FigureName, RecordMean>,
    controls: { eligible: 60, measured: 50, mean_usdc: 812.5, alerts_mean_usdc: 2_400.1 },
    exits: { positions: 4, realized_usdc: 1_234.5, held_usdc: -321 },
    groups: {
      months: Array.from({ length: months }, (_, index) =>
        group(`2027-${String(index + 1).padStart(2, '0')}`),
      ),
      types: [group('fresh'), group('fresh_accumulator')],
      bands: [group('very_high')],
      categories: [group('politics')],
      rules: [group('4')],
    },
  };
}
