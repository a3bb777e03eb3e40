import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertFilter } from '../../../src/core/alerts/alert-store.ts';
import { ratesOf } from '../../../src/core/alerts/figures/win-rates.ts';
import { resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { settleMarket } from '../../support/stored.ts';
import { onEachDatabase } from './each-database.ts';
import { naiveSearch } from './naive-archive.ts';
import { DAY, enterAlerts, numbered, settlements, TITLES, unnumbered, WALLETS } from './random-alerts.ts';

const DAY_MS = 86_400_000;
const HOURS_APART = 5;

/** Prices of the real kind, some hours between one alert and the next. */
const alertsOverDays = fc
  .array(fc.tuple(unnumbered, fc.integer({ min: 1, max: 999_999 })), { minLength: 20, maxLength: 60 })
  .map((given) =>
    numbered(given.map(([alert, micros]) => ({ ...alert, entryPrice: micros / 1e6 }))).map((alert) => {
      const createdAt = DAY + Math.floor(alert.id / 2) * HOURS_APART * 3_600_000;
      return { ...alert, createdAt, publishedAt: createdAt };
    }),
  );
const moments = fc.integer({ min: -2, max: 30 }).map((steps) => DAY + steps * HOURS_APART * 3_600_000);
const filters = fc.record(
  {
    categories: fc.subarray(CATEGORIES.slice(0, 3), { minLength: 1 }),
    side: fc.constantFrom('BUY', 'SELL'),
    minScore: fc.constantFrom(0, 30, 95),
    minUsdc: fc.constantFrom(0, 1000),
    isResolved: fc.boolean(),
    search: fc.constantFrom(...WALLETS, ...TITLES, 'will', 'x'),
    wallet: fc.constantFrom(...WALLETS),
    market: fc.constantFrom('0xm1', 'x'),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const asked = fc.record({
  filter: filters,
  bounds: fc.tuple(moments, moments),
  newest: fc.integer({ min: 1, max: 4 }),
});

function naivePreview(
  known: readonly Alert[],
  filter: AlertFilter & { since: number; until: number },
  newest: number,
) {
  const { alerts: found, total } = naiveSearch(known, filter, { page: 1, pageSize: 1000 });
  const days = new Map<number, number>();
  const firstDay = filter.since - (filter.since % DAY_MS);
  for (let day = firstDay; day <= filter.until && filter.since <= filter.until; day += DAY_MS)
    days.set(day, 0);
  for (const { createdAt } of found) {
    const day = createdAt - (createdAt % DAY_MS);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return {
    total,
    daily: [...days].map(([dayStart, alerts]) => ({ dayStart, alerts })),
    newest: found.slice(0, newest),
    record: naiveRates(found.map((alert) => [alert])),
    perMarket: naiveRates([...Map.groupBy(found, ({ marketId }) => marketId).values()]),
  };
}

/** With one vote each for groups of alerts: the mean of those that are resolved. */
function naiveRates(groups: readonly (readonly Alert[])[]): Rates & { readonly resolved: number } {
  const resolved = groups
    .map((alerts) => alerts.filter(({ resolution }) => resolution !== null))
    .filter((alerts) => alerts.length > 0);
  const meanOf = (value: (alert: Alert) => number) =>
    resolved.length === 0 ? null : mean(resolved.map((alerts) => mean(alerts.map(value))));
  const winRate = meanOf(({ resolution }) => (resolution?.won === true ? 1 : 0));
  const averageEntry = meanOf(({ side, entryPrice }) => (side === 'BUY' ? entryPrice : 1 - entryPrice));
  const edge = winRate === null || averageEntry === null ? null : winRate - averageEntry;
  return { resolved: resolved.length, winRate, averageEntry, edge };
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

type Rates = ReturnType<typeof ratesOf>;

function expectSameRates(given: Rates, expected: Rates): void {
  for (const rate of ['winRate', 'averageEntry', 'edge'] as const) {
    if (expected[rate] === null) expect(given[rate]).toBeNull();
    else expect(given[rate]).toBeCloseTo(expected[rate], 9);
  }
}

onEachDatabase('a preview', (fixture) => {
  test('is what a look at every alert finds, its rates the means of alerts and of markets, also after resolutions', async () => {
    const step = fc.record({
      settled: settlements,
      queries: fc.array(asked, { minLength: 2, maxLength: 4 }),
    });
    const scenario = fc.record({
      given: alertsOverDays,
      steps: fc.tuple(step, step, step),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ given, steps }) => {
        const database = await fixture.fresh();
        const { alerts, log } = database;
        let known: readonly Alert[] = await enterAlerts(log, given);
        for (const { settled, queries } of steps) {
          await settleMarket(database, settled);
          known = known.map((alert) =>
            alert.marketId === settled.marketId
              ? { ...alert, resolution: resolutionOf(alert, settled) }
              : alert,
          );
          for (const { filter, bounds, newest } of queries) {
            const query = { ...filter, since: Math.min(...bounds), until: Math.max(...bounds) };
            const preview = await alerts.preview(query, { newest });

            const { record, perMarket, ...expected } = naivePreview(known, query, newest);
            expect(preview).toMatchObject({ ...expected, resolved: record.resolved });
            expect(ratesOf(preview).winRate).toBe(record.winRate);
            expect(preview.markets.resolved).toBe(perMarket.resolved);
            expectSameRates(ratesOf(preview), record);
            expectSameRates(ratesOf(preview.markets), perMarket);
          }
        }
      }),
      { numRuns: 6, interruptAfterTimeLimit: 20_000 },
    );
  });

  test('of an empty archive and a window that ends before it begins has nothing, and no days', async () => {
    const { alerts } = fixture.database;
    const none = { resolved: 0, won: 0, entrySum: 0 };
    const nothing = { total: 0, ...none, markets: none, daily: [], newest: [] };
    expect(await alerts.preview({ since: DAY, until: DAY - 1 }, { newest: 3 })).toStrictEqual(nothing);
  });
});
