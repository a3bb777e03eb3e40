import { describe, expect, test } from 'vitest';
import { DEFAULT_PLAN, type RecordPlan } from '../../../src/core/detection/record-plan.ts';
import { compileRecord } from '../../../src/core/record/compile-record.ts';
import type { MeasuredAlert, MeasuredMarket } from '../../../src/core/record/measured-market.ts';
import type { RecordComparison, RecordPeriod } from '../../../src/core/record/record-report.ts';
import { comparisonText } from '../../../src/core/record/verdict.ts';
import { measuredAlert, measuredMarket, randomRecord } from '../../support/record/measured.ts';

const APRIL = Date.UTC(2027, 3, 1);
/** One verdict day, which has the whole error. */
const ONE_LOOK: RecordPlan = { ...DEFAULT_PLAN, verdictDays: ['2027-03-31'] };

function periodOf(markets: readonly MeasuredMarket[], asOf: number, plan = ONE_LOOK): RecordPeriod {
  const rules = { version: '3', sha256: '' };
  return compileRecord(markets, { plan, rules, asOf }).periods[0] as RecordPeriod;
}

const verdictsOf = (period: RecordPeriod) =>
  period.verdicts.map(({ day, comparisons }) => [day, comparisons[0]?.verdict]);

describe('verdicts', () => {
  test('there is one for each verdict day that is over, newest first, and none before', () => {
    const markets = randomRecord({ seed: 1, events: 20 });
    const daysAt = (asOf: number) => periodOf(markets, asOf, DEFAULT_PLAN).verdicts.map(({ day }) => day);
    expect(daysAt(APRIL - 1)).toEqual([]);
    expect(daysAt(APRIL)).toEqual(['2027-03-31']);
    expect(daysAt(Date.UTC(2027, 6, 1) - 1)).toEqual(['2027-03-31']);
    expect(daysAt(Date.UTC(2030, 0, 1))).toEqual(DEFAULT_PLAN.verdictDays.toReversed());
  });

  test('alerts from before the plan get none, whatever their figures', () => {
    const early = randomRecord({ seed: 1, events: 150, drift: 0.2, from: Date.UTC(2026, 8, 1) });
    const period = periodOf(early, Date.UTC(2028, 0, 1));
    expect(period).toMatchObject({ stage: 'before_plan', verdicts: [], next_verdict_at: null });
    expect(period.conclusion).toMatch(
      /^Not shown to differ from the price: these alerts are from before the plan/,
    );
  });

  test('a drift that is there is above or below the price; one that is not is not shown', () => {
    for (const [drift, verdict] of [
      [0.05, 'above'],
      [-0.05, 'below'],
      [0, 'not_shown'],
    ] as const)
      expect(verdictsOf(periodOf(randomRecord({ seed: 3, events: 110, drift }), APRIL))).toEqual([
        ['2027-03-31', verdict],
      ]);
  });

  test('fewer than 50 blocks are too few to say, however large the figure', () => {
    const [few, enough] = [49, 50].map((events) =>
      randomRecord({ seed: 3, events, drift: 0.3 }).map((market) => ({ ...market, tags: [market.event] })),
    );
    const said = periodOf(few ?? [], APRIL).verdicts[0]?.comparisons[0];
    expect(said).toMatchObject({ verdict: 'too_few', blocks: 49, p: null, p_adjusted: null });
    expect(said?.text).toContain('too few to say: 49 blocks, 50 are needed');
    expect(verdictsOf(periodOf(enough ?? [], APRIL))).toEqual([['2027-03-31', 'above']]);
  });

  test('a result is judged by the chance that its price states: 60 lost bets at 5¢ are no evidence', () => {
    const publishedAt = Date.UTC(2027, 1, 1);
    const lost = Array.from({ length: 60 }, (_, index) =>
      measuredMarket({
        event: `m${index}`,
        settledAt: Date.UTC(2027, 1, 2),
        alerts: [measuredAlert({ id: index, publishedAt, entryPrice: 0.05, payout: 0 })],
      }),
    );
    const won = periodOf(lost, APRIL).verdicts[0]?.comparisons[1];
    expect(won).toMatchObject({ name: 'won_minus_price', mean: -0.05, verdict: 'not_shown' });
    // No win in 60 has a chance of .95 ^ 60; 6 or more have the rest.
    expect(won?.p).toBeGreaterThan(0.95 ** 60);
  });

  test('the error is divided among the verdict days: each p is that of one day times their number', () => {
    const markets = randomRecord({ seed: 4, events: 110, drift: 0.012 });
    const [alone, shared] = [ONE_LOOK, DEFAULT_PLAN].map(
      (plan) => periodOf(markets, APRIL, plan).verdicts[0]?.comparisons[0],
    );
    expect(alone?.p_adjusted).toBeGreaterThan(0.002);
    expect(alone?.p_adjusted).toBeLessThan(0.2);
    expect(shared?.p).toBe(alone?.p);
    expect(shared?.p_adjusted).toBeCloseTo(4 * (alone?.p_adjusted ?? 0), 5);
  });

  test('a verdict uses what was known at the end of its day: nothing later changes it', () => {
    const markets = randomRecord({ seed: 5, events: 120, days: 100 });
    const known = markets.map((market) => knownAt(market, APRIL)).filter(({ alerts }) => alerts.length > 0);
    const then = periodOf(known, APRIL).verdicts;
    expect(then[0]?.comparisons.every(({ alerts }) => alerts > 50)).toBe(true);
    const later = periodOf(markets, Date.UTC(2027, 11, 1));
    expect(later.verdicts).toEqual(then);
    expect(later.figures.won_minus_price.alerts).toBeGreaterThan(then[0]?.comparisons[1]?.alerts ?? 0);
  });

  test('a period states when its next verdict is due, and the last one that there is no further', () => {
    const markets = randomRecord({ seed: 6, events: 110, drift: 0.05 });
    const [before, after, last] = [APRIL - 1, APRIL, Date.UTC(2028, 0, 1)].map((asOf) =>
      periodOf(markets, asOf, DEFAULT_PLAN),
    );
    expect(before?.next_verdict_at).toBe('2027-04-01T00:00:00.000Z');
    expect(before?.conclusion).toMatch(
      /^Not shown to differ from the price: no verdict day is over\. The next/,
    );
    expect(after?.conclusion).toMatch(
      /^Verdict of 2027-03-31: The price a day after an alert.*: above the price/,
    );
    expect(after?.conclusion).toContain('The next verdict is due at the end of 2027-06-30.');
    expect(last?.next_verdict_at).toBeNull();
    expect(last?.conclusion).toContain('There is no further verdict day.');
  });
});

/** The market as it was measured at a moment. */
function knownAt(market: MeasuredMarket, moment: number): MeasuredMarket {
  const isSettled = market.settledAt !== null && market.settledAt <= moment;
  const known = <T extends number | null>(value: T, at: number | null) =>
    at !== null && at <= moment ? value : null;
  const movesThen = (moves: MeasuredAlert['moves']): MeasuredAlert['moves'] => ({
    ...moves,
    drift1h: known(moves.drift1h, moves.knownAt1h),
    knownAt1h: known(moves.knownAt1h, moves.knownAt1h),
    drift24h: known(moves.drift24h, moves.knownAt),
    knownAt: known(moves.knownAt, moves.knownAt),
  });
  const unsettled = { payout: null };
  const waiting = { state: 'settlement', filledAt: null, price: null, fee: null, result: null } as const;
  return {
    ...market,
    settledAt: isSettled ? market.settledAt : null,
    alerts: market.alerts
      .filter(({ publishedAt }) => publishedAt <= moment)
      .map((alert) => ({
        ...alert,
        moves: movesThen(alert.moves),
        controls: {
          ...alert.controls,
          drift1h: known(alert.controls.drift1h, alert.controls.knownAt1h),
          drift24h: known(alert.controls.drift24h, alert.controls.knownAt),
          knownAt: known(alert.controls.knownAt, alert.controls.knownAt),
          knownAt1h: known(alert.controls.knownAt1h, alert.controls.knownAt1h),
        },
        ...(isSettled ? {} : { ...unsettled, pro: waiting, free: waiting }),
      })),
    buys: market.buys
      .filter(({ at }) => at <= moment)
      .map((buy) => ({ ...buy, moves: movesThen(buy.moves), ...(isSettled ? {} : unsettled) })),
  };
}

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
