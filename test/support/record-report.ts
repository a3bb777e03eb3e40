import type { RecordMean, RecordReport, RecordStage } from '../../src/core/record/record-report.ts';

interface Given {
  readonly mean?: number | null;
  readonly count?: number;
}

const COURSE = [
  { at: '2027-01-03T03:05:05.000Z', capital: 1.4 },
  { at: '2027-02-03T03:05:05.000Z', capital: 0.71 },
  { at: '2027-03-30T03:05:05.000Z', capital: 0.93 },
];

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

function stageOf({ mean = -0.0123, count = 12 }: Given): RecordStage {
  const figure: RecordMean = { alerts: count, events: 5, mean, per_alert: mean };
  const capital = { now: 0.93, highest: 1.4, reached_at: null };
  const bettor = { bets: count, open: 1, bought: capital, sold: capital, verdict: 'not_shown' } as const;
  return {
    stage: 'plan',
    first_alert_at: '2027-01-02T03:04:05.000Z',
    last_alert_at: '2027-03-30T03:04:05.000Z',
    conclusion: 'No evidence yet that following alerts pays.',
    bettor: { ...bettor, threshold: 50, mean, low: -0.021, high: 0.034, course: COURSE },
    holder: { ...bettor, threshold: 200 },
    counts: { alerts: 2 * count, counted: count, events: 5, settled: 8, right: 3, wrong: 5 },
    figures: { move_24h: figure, won_minus_price: figure },
  };
}
