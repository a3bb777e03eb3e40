import type { RecordFigure, RecordReport } from '../../src/core/record/record-report.ts';
import { recordAnswers } from '../../src/http/views/record-report-view.ts';

const BANKROLL = [
  { at: '2027-01-02T03:05:05.000Z', capital: 1 },
  { at: '2027-01-03T03:05:05.000Z', capital: 1.4 },
  { at: '2027-02-03T03:05:05.000Z', capital: 0.71 },
  { at: '2027-03-30T03:05:05.000Z', capital: 0.93 },
];

export function recordReportOf(given: Partial<RecordFigure> = {}): RecordReport {
  const capital = { now: 0.93, highest: 1.4 };
  const figure: RecordFigure = {
    threshold: 50,
    bets: 12,
    open: 1,
    mean: -0.0123,
    low: -0.021,
    high: 0.034,
    bought: capital,
    sold: capital,
    verdict: 'not_shown',
    ...given,
  };
  return {
    as_of: '2027-04-01T00:00:00.000Z',
    rules: { version: '4', sha256: 'ab'.repeat(32) },
    starts_at: '2027-01-01',
    is_rehearsal: false,
    conclusion: 'No evidence yet that following alerts pays.',
    results: '3 of 8 settled bets were right (38%). Breaking even at those prices took 41%.',
    alerts: 24,
    counted: 12,
    settled: 8,
    right: 3,
    day_later: figure,
    payout: { ...figure, threshold: 200 },
    bankroll: BANKROLL,
  };
}

/** A record as the server reads it. */
export function readRecord(report: RecordReport) {
  return { read: async () => recordAnswers(report) };
}
