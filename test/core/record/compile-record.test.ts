import { describe, expect, test } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/core/detection/record-plan.ts';
import { type CountedAlert, compileRecord } from '../../../src/core/record/compile-record.ts';
import { NOTHING_MEASURED } from '../../../src/core/record/conclusion.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2027, 0, 1, 12);
const rules = { version: '4', sha256: 'f'.repeat(64) };

const compiled = (counted: readonly CountedAlert[], asOf = NOON + 300 * DAY_MS) =>
  compileRecord({ alerts: 2 * counted.length, counted }, { plan: DEFAULT_PLAN, rules, asOf, mapping: null });

/** An alert each three days in an event of its own, bought at .41, worth so much more a day later, and settled a day after that. */
function alertOn(id: number, by: number, given: Partial<CountedAlert> = {}): CountedAlert {
  const publishedAt = NOON + id * 3 * DAY_MS;
  const at = publishedAt + 90_000;
  return {
    id,
    event: `e${id}`,
    publishedAt,
    entryPrice: 0.4,
    bought: { at, price: 0.41 },
    later: { at: at + DAY_MS, price: 0.41 + by },
    settledAt: publishedAt + 2 * DAY_MS,
    payout: by > 0 ? 1 : 0,
    ...given,
  };
}

const many = (count: number, by: number) =>
  Array.from({ length: count }, (_, index) => alertOn(index + 1, by));

describe('the record', () => {
  test('has a mean of the bets that it made, of each figure, and counts those that are open', () => {
    const unknown = { later: null, settledAt: null, payout: null };
    const { alerts, counted, settled, right, day_later, payout, results } = compiled([
      alertOn(1, 0.02, { entryPrice: 0.6 }),
      alertOn(2, -0.04),
      alertOn(3, 0.1, unknown),
    ]);
    expect([alerts, counted, settled, right]).toEqual([6, 3, 2, 1]);
    expect(day_later).toMatchObject({ threshold: 50, bets: 3, open: 1, mean: -0.01 });
    // 1 − .41 and 0 − .41.
    expect(payout).toMatchObject({ threshold: 200, bets: 3, open: 1, mean: 0.09 });
    expect(results).toBe('1 of 2 settled bets was right (50%). Breaking even at those prices took 50%.');
  });

  test('bets on an event once to its payout, on the first that could be bought', () => {
    const event = 'one';
    const missed = alertOn(1, 0.1, { event, bought: null, later: null });
    const { payout, day_later } = compiled([missed, alertOn(2, 0.1, { event }), alertOn(3, -0.1, { event })]);
    expect(payout).toMatchObject({ bets: 1, mean: 0.59 });
    expect(day_later.bets).toBe(2);
  });

  test('closes a bet by the payout where no price a day later came before it', () => {
    const early = { later: null, settledAt: NOON + 3.5 * DAY_MS };
    const { day_later, bankroll } = compiled([alertOn(1, 0.1, early)]);
    expect(day_later).toMatchObject({ bets: 1, open: 0, mean: 0.59 });
    expect(bankroll.map(({ at }) => at)).toEqual(['2027-01-04T12:01:30.000Z', '2027-01-05T00:00:00.000Z']);
    expect(bankroll[0]?.capital).toBe(1);
  });

  test('is a rehearsal before its first day, UTC', () => {
    const start = Date.UTC(2027, 0, 1);
    expect(compiled([], start - 1)).toMatchObject({
      is_rehearsal: true,
      starts_at: '2027-01-01',
      conclusion: `Rehearsal; the test starts on 1 January 2027. ${NOTHING_MEASURED}`,
    });
    expect(compiled([], start)).toMatchObject({ is_rehearsal: false, conclusion: NOTHING_MEASURED });
  });

  test('of a replay that moves its tape has the dates of its alerts', () => {
    const asOf = NOON + 300 * DAY_MS;
    const mapping = { pivot: asOf, origin: asOf + DAY_MS, speed: 1, hasHistory: true };
    const moved = compileRecord(
      { alerts: 1, counted: [alertOn(1, 0.1)] },
      { plan: DEFAULT_PLAN, rules, asOf, mapping },
    );
    expect([moved.as_of, moved.bankroll[0]?.at]).toEqual([
      new Date(asOf + DAY_MS).toISOString(),
      '2027-01-05T12:01:30.000Z',
    ]);
  });

  test('without alerts has nothing to say yet', () => {
    expect(compiled([])).toMatchObject({ conclusion: NOTHING_MEASURED, results: null, bankroll: [], rules });
  });
});

describe('a verdict', () => {
  test('is above or below once a bettor reached $50, or $200 of those who hold to the end', () => {
    const [up, down, few] = [many(90, 0.1), many(90, -0.1), many(2, 0.1)].map((alerts) => compiled(alerts));
    expect(up).toMatchObject({ day_later: { verdict: 'above', bets: 90 }, payout: { verdict: 'above' } });
    expect(up?.day_later.low).toBeGreaterThan(0);
    expect(down).toMatchObject({ day_later: { verdict: 'below' }, payout: { verdict: 'below' } });
    expect(down?.conclusion).toMatch(
      /^Shown: over 90 .* would ever look this bad\. The spread alone can cause it\.$/,
    );
    expect(few?.day_later).toMatchObject({ verdict: 'not_shown', low: null, high: null });
  });

  test('stays when the capital falls again, and is that of who reached it first', () => {
    const after = Array.from({ length: 90 }, (_, index) => alertOn(91 + index, -0.1));
    const { day_later } = compiled([...many(90, 0.1), ...after]);
    expect(day_later).toMatchObject({ verdict: 'above', bets: 180 });
    expect(day_later.bought.now).toBeLessThan(50);
    expect(day_later.bought.highest).toBeGreaterThan(50);
  });
});
