import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/core/detection/record-plan.ts';
import { compileRecord } from '../../../src/core/record/compile-record.ts';
import type { MeasuredMarket } from '../../../src/core/record/measured-market.ts';
import type { RecordPeriod } from '../../../src/core/record/record-report.ts';
import { measuredAlert, measuredBuy, measuredMarket, randomRecord } from '../../support/record/measured.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2027, 0, 1, 12);
const rules = { version: '3', sha256: 'f'.repeat(64) };

function compiled(markets: readonly MeasuredMarket[], asOf = NOON + 30 * DAY_MS) {
  return compileRecord(markets, { plan: DEFAULT_PLAN, rules, asOf });
}

function onlyPeriod(markets: readonly MeasuredMarket[]): RecordPeriod {
  const { periods } = compiled(markets);
  expect(periods).toHaveLength(1);
  return periods[0] as RecordPeriod;
}

const moved = (id: number, drift24h: number, controls: number | null, given = {}) => {
  const usual = measuredAlert({ id });
  return {
    ...usual,
    moves: { ...usual.moves, drift24h },
    controls: { ...usual.controls, drift24h: controls },
    ...given,
  };
};

/** Event e1 has two markets with three alerts, event e2 one. */
const THREE_AND_ONE = [
  measuredMarket({
    event: 'e1',
    settledAt: NOON + DAY_MS,
    alerts: [
      moved(1, 0.02, 0.01, { entryPrice: 0.6, payout: 1 }),
      moved(2, 0.04, 0.01, { entryPrice: 0.7, payout: 1, positionPrice: 0.5 }),
    ],
  }),
  measuredMarket({ event: 'e1', alerts: [moved(3, 0.06, null)] }),
  measuredMarket({
    event: 'e2',
    settledAt: NOON + 40 * DAY_MS,
    alerts: [moved(4, -0.03, 0.02, { entryPrice: 0.3, payout: 0 })],
  }),
];

describe('compileRecord', () => {
  test('an event is the mean of its alerts, the record the mean of its events', () => {
    const { figures } = onlyPeriod(THREE_AND_ONE);
    // e1: (.02 + .04 + .06) / 3 = .04; e2: −.03.
    expect(figures.drift_24h).toMatchObject({
      alerts: 4,
      events: 2,
      blocks: 2,
      mean: 0.005,
      per_alert: 0.0225,
    });
    // e1: (.01 + .03) / 2 = .02, the third alert has too few controls; e2: −.05.
    expect(figures.drift_24h_minus_controls).toMatchObject({ alerts: 3, events: 2, mean: -0.015 });
    expect(figures.drift_24h_minus_controls.per_alert).toBe(-0.003333);
    // e1: (.4 + .3) / 2 = .35; e2: −.3.
    expect(figures.won_minus_price).toMatchObject({ alerts: 3, events: 2, mean: 0.025, per_alert: 0.133333 });
    expect(figures.position_won_minus_price).toMatchObject({ alerts: 1, events: 1, mean: 0.5, low: null });
    // .41 + drift − entry: e1 (−.17, −.25, .07), e2 .08.
    expect(figures.drift_24h_from_entry).toMatchObject({ mean: -0.018333, per_alert: -0.0675 });
    expect(figures.impact).toMatchObject({ mean: 0.01, low: 0.01, high: 0.01 });
  });

  test('only the first alert of a wallet, market and outcome counts', () => {
    const repeated = measuredMarket({ alerts: [moved(1, 0.02, 0), moved(2, 0.9, 0, { isFirst: false })] });
    const { counts, figures } = onlyPeriod([repeated]);
    expect(counts).toMatchObject({ alerts: 2, counted: 1, events: 1, blocks: 1 });
    expect(figures.drift_24h.mean).toBe(0.02);
  });

  test('alerts without a figure are counted by the reason', () => {
    const { moves, controls } = measuredAlert();
    const none = { ...moves, drift1h: null, drift24h: null, knownAt: null, knownAt1h: null };
    const notFillable = { ...measuredAlert().pro, state: 'not_fillable' } as const;
    const alerts = [
      measuredAlert({ id: 1, moves: { ...none, state: 'stale' }, pro: notFillable }),
      measuredAlert({ id: 2, moves: { ...none, state: 'pending' } }),
      measuredAlert({ id: 3, moves: { ...none, state: 'unobserved' } }),
      measuredAlert({ id: 4, controls: { ...controls, measured: 1, drift1h: null, drift24h: null } }),
      measuredAlert({ id: 5, controls: { ...controls, drift1h: null, drift24h: null, knownAt: null } }),
    ];
    const { counts } = onlyPeriod([measuredMarket({ alerts })]);
    expect(counts).toMatchObject({
      counted: 5,
      settled: 0,
      drift_24h: { measured: 2, pending: 1, stale: 1, unobserved: 1 },
      few_controls: 1,
      follower_pro: { not_fillable: 1, waiting: 4 },
      follower_free: { not_fillable: 0, waiting: 5 },
    });
  });

  test('controls are shown with their sizes and the share that bought the outcome of the alert', () => {
    const { controls } = measuredAlert();
    const few = { ...controls, drawn: 1, measured: 1, sameOutcome: 0, meanUsdc: 1_100 };
    const { controls: shown } = onlyPeriod([
      measuredMarket({ alerts: [measuredAlert(), measuredAlert({ id: 2, controls: few })] }),
    ]);
    expect(shown).toEqual({
      ...{ drawn: 6, measured: 6, mean_usdc: 600, alerts_mean_usdc: 2_000, same_outcome: 0.5 },
    });
  });

  test('rivals: all buys of 1,000 and of 5,000, and as many as alerts by dollars and by profit at stake', () => {
    const { moves } = measuredAlert();
    const buy = (usdc: number, profitAtStake: number, drift24h: number, isFirst = true) =>
      measuredBuy({ wallet: `0x${usdc}`, usdc, profitAtStake, isFirst, moves: { ...moves, drift24h } });
    const buys = [buy(1_000, 9_000, 0.01), buy(6_000, 100, 0.03), buy(9_000, 50, 0.08, false)];
    const { figures } = onlyPeriod([measuredMarket({ alerts: [moved(1, 0.05, 0)], buys })]);
    expect(figures.rivals_1000_drift_24h).toMatchObject({ alerts: 2, mean: 0.02 });
    expect(figures.rivals_5000_drift_24h).toMatchObject({ alerts: 2, mean: 0.055 });
    expect(figures.rivals_by_usdc_drift_24h).toMatchObject({ alerts: 1, mean: 0.08 });
    expect(figures.rivals_by_profit_at_stake_drift_24h).toMatchObject({ alerts: 1, mean: 0.01 });
    expect(figures.drift_24h_minus_rivals_1000).toMatchObject({ alerts: 1, mean: 0.03 });
    expect(figures.rivals_1000_won_minus_price.mean).toBeNull();
  });

  test('other rules begin a period, and so does the plan; old periods stay, the newest is first', () => {
    const before = NOON - 2 * DAY_MS;
    const alerts = [
      measuredAlert({ id: 1, publishedAt: before, ruleVersion: '2' }),
      measuredAlert({ id: 2, publishedAt: before + 1 }),
      measuredAlert({ id: 3 }),
    ];
    const buys = [
      measuredBuy({ at: before - 5 }),
      measuredBuy({ at: NOON - 5 }),
      measuredBuy({ at: NOON + 5 }),
    ];
    const { periods, conclusion } = compiled([measuredMarket({ alerts, buys })]);
    expect(periods.map(({ rule_version, stage, counts }) => [rule_version, stage, counts.alerts])).toEqual([
      ['3', 'plan', 1],
      ['3', 'before_plan', 1],
      ['2', 'before_plan', 1],
    ]);
    expect(periods.map(({ figures }) => figures.rivals_1000_drift_24h.alerts)).toEqual([2, 0, 1]);
    expect(conclusion).toBe(periods[0]?.conclusion);
    expect(periods[0]).toMatchObject({
      first_alert_at: '2027-01-01T12:00:00.000Z',
      last_alert_at: '2027-01-01T12:00:00.000Z',
    });
  });

  test('the plan begins with its first day, UTC', () => {
    const start = Date.UTC(2027, 0, 1);
    const [first, before] = [start, start - 1].map((publishedAt) =>
      onlyPeriod([measuredMarket({ alerts: [measuredAlert({ publishedAt })] })]),
    );
    expect([first?.stage, before?.stage]).toEqual(['plan', 'before_plan']);
  });

  test('months, types, bands and categories have numbers of alerts and means, empty groups are left out', () => {
    const february = {
      publishedAt: Date.UTC(2027, 1, 1),
      score: 80,
      type: 'cluster',
      category: 'tech',
    } as const;
    const { groups } = onlyPeriod([
      measuredMarket({ alerts: [moved(1, 0.02, 0), moved(2, 0.04, 0.01, february)] }),
    ]);
    const shown = { alerts: 1, events: 1, won_minus_price: { alerts: 0, events: 0, mean: null } };
    const [early, late] = [0.02, 0.03].map((mean) => ({
      ...shown,
      drift_24h_minus_controls: { alerts: 1, events: 1, mean },
    }));
    expect(groups).toEqual({
      months: [
        { name: '2027-01', ...early },
        { name: '2027-02', ...late },
      ],
      types: [
        { name: 'fresh', ...early },
        { name: 'cluster', ...late },
      ],
      bands: [
        { name: 'very_high', ...late },
        { name: 'strong', ...early },
      ],
      categories: [
        { name: 'politics', ...early },
        { name: 'tech', ...late },
      ],
    });
  });

  test('without alerts it says that nothing is measured', () => {
    const report = compiled([]);
    expect(report).toMatchObject({
      periods: [],
      conclusion: 'Too few to say: nothing is measured yet.',
      rules,
    });
    expect(report.plan.verdict_days).toEqual(DEFAULT_PLAN.verdictDays);
  });

  test('the sequence of markets, alerts and buys changes no byte', () => {
    const markets = randomRecord({ seed: 1, events: 60 });
    const asOf = Date.UTC(2027, 3, 1);
    const once = JSON.stringify(compiled(markets, asOf));
    const order = fc.infiniteStream(fc.nat(1_000));
    fc.assert(
      fc.property(order, (ranks) => {
        const mixed = <T>(all: readonly T[]) =>
          all
            .map((each) => ({ each, rank: ranks.next().value }))
            .sort((a, b) => a.rank - b.rank)
            .map(({ each }) => each);
        const other = mixed(markets).map((market) => ({
          ...market,
          alerts: mixed(market.alerts),
          buys: mixed(market.buys),
        }));
        expect(JSON.stringify(compiled(other, asOf))).toBe(once);
      }),
      { numRuns: 2 },
    );
  });
});
