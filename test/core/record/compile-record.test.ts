import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/core/detection/record-plan.ts';
import { compileRecord } from '../../../src/core/record/compile-record.ts';
import { NOTHING_MEASURED } from '../../../src/core/record/conclusion.ts';
import type { MeasuredMarket } from '../../../src/core/record/measured-market.ts';
import type { RecordReport, RecordStage } from '../../../src/core/record/record-report.ts';
import { measuredAlert, measuredMarket, moveOf, randomRecord } from '../../support/record/measured.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2027, 0, 1, 12);
const rules = { version: '4', sha256: 'f'.repeat(64) };

function compiled(markets: readonly MeasuredMarket[], previous: RecordReport | null = null) {
  return compileRecord(markets, { plan: DEFAULT_PLAN, rules, asOf: NOON + 300 * DAY_MS, previous });
}

function onlyStage(markets: readonly MeasuredMarket[]): RecordStage {
  const { stages } = compiled(markets);
  expect(stages).toHaveLength(1);
  return stages[0] as RecordStage;
}

const moved = (id: number, by: number, given: Parameters<typeof measuredAlert>[0] = {}) =>
  measuredAlert({ id, move: moveOf(NOON, by), ...given });

const THREE_AND_ONE = [
  measuredMarket({
    settledAt: NOON + DAY_MS,
    alerts: [moved(1, 0.02, { entryPrice: 0.6, payout: 1 }), moved(2, 0.04, { entryPrice: 0.7, payout: 1 })],
  }),
  measuredMarket({ alerts: [moved(3, 0.06)] }),
  measuredMarket({
    event: 'e2',
    settledAt: NOON + 40 * DAY_MS,
    alerts: [moved(4, -0.03, { entryPrice: 0.3, payout: 0 })],
  }),
];

describe('compileRecord', () => {
  test('an event is the mean of its alerts, a figure the mean of its events, and of its alerts beside it', () => {
    const { figures } = onlyStage(THREE_AND_ONE);
    // e1: (.02 + .04 + .06) / 3 = .04; e2: −.03.
    expect(figures.move_24h).toEqual({ alerts: 4, events: 2, mean: 0.005, per_alert: 0.0225 });
    // e1: (.4 + .3) / 2 = .35; e2: −.3.
    expect(figures.won_minus_price).toEqual({ alerts: 3, events: 2, mean: 0.025, per_alert: 0.133333 });
  });

  test('the plan begins with its first day, UTC, and what came before is a rehearsal with bettors of its own', () => {
    const start = Date.UTC(2027, 0, 1);
    const alerts = [start - 1, start, start + 1].map((publishedAt, index) =>
      measuredAlert({
        id: index + 1,
        publishedAt,
        move: moveOf(publishedAt, 0.02),
      }),
    );
    const { stages, conclusion } = compiled([measuredMarket({ alerts })]);
    expect(stages.map(({ stage, counts, bettor }) => [stage, counts.alerts, bettor.bets])).toEqual([
      ['plan', 2, 1],
      ['rehearsal', 1, 1],
    ]);
    expect(conclusion).toBe(stages[0]?.conclusion);
    expect(stages[0]).toMatchObject({ first_alert_at: '2027-01-01T00:00:00.000Z' });
  });

  test('without alerts it says that there is nothing to say yet', () => {
    expect(compiled([])).toMatchObject({ stages: [], conclusion: NOTHING_MEASURED, rules, withdrawn: [] });
  });

  test('the sequence of markets and alerts changes no byte', () => {
    const markets = randomRecord(1, 60);
    const once = JSON.stringify(compiled(markets));
    const order = fc.infiniteStream(fc.nat(1_000));
    fc.assert(
      fc.property(order, (ranks) => {
        const mixed = <T>(all: readonly T[]) =>
          all
            .map((each) => ({ each, rank: ranks.next().value }))
            .sort((a, b) => a.rank - b.rank)
            .map(({ each }) => each);
        const other = mixed(markets).map((market) => ({ ...market, alerts: mixed(market.alerts) }));
        expect(JSON.stringify(compiled(other))).toBe(once);
      }),
      { numRuns: 2 },
    );
  });
});

describe('a verdict', () => {
  /** An alert each three days, worth so much more a day later, and settled a day after that. */
  const record = (by: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const publishedAt = NOON + index * 3 * DAY_MS;
      const move = moveOf(publishedAt, by);
      const alert = measuredAlert({ id: index + 1, publishedAt, move, payout: by > 0 ? 1 : 0 });
      return measuredMarket({ event: `e${index}`, settledAt: publishedAt + 2 * DAY_MS, alerts: [alert] });
    });

  test('is above or below once a bettor reached $50, or $200 of those who hold to the end, with its date', () => {
    const [up, down, few] = [record(0.1, 90), record(-0.1, 90), record(0.1, 2)].map(onlyStage);
    expect(up?.bettor).toMatchObject({ threshold: 50, verdict: 'above', bets: 90, open: 0 });
    expect(up?.bettor.bought.reached_at).toMatch(/^2027-0\d-\d\dT12:01:30\.000Z$/);
    expect(up?.bettor.low).toBeGreaterThan(0);
    expect(up?.holder).toMatchObject({ threshold: 200, verdict: 'above' });
    expect(down).toMatchObject({ bettor: { verdict: 'below' }, holder: { verdict: 'below' } });
    expect(down?.conclusion).toMatch(
      /^Shown: over 90 .* would ever look this bad\. The spread alone can cause it\.$/,
    );
    expect(few).toMatchObject({ bettor: { verdict: 'not_shown', low: null, high: null } });
  });

  test('that corrected data undo is said to be withdrawn, from then on', () => {
    const before = compiled(record(0.1, 90));
    const corrected = compiled(record(0.001, 90), before);
    const reached_at = before.stages[0]?.bettor.bought.reached_at;
    const withdrawn = {
      stage: 'plan',
      bettor: 'bettor',
      verdict: 'above',
      reached_at,
      withdrawn_at: corrected.as_of,
    };
    expect(corrected.withdrawn).toContainEqual(withdrawn);
    expect(compiled(record(0.001, 90), corrected).withdrawn).toEqual(corrected.withdrawn);
    expect(compiled(record(0.1, 91), before).withdrawn).toEqual([]);
  });
});
