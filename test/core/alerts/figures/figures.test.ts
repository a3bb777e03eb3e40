import { describe, expect, test, vi } from 'vitest';
import type { AlertStore } from '../../../../src/core/alerts/alert-store.ts';
import { Figures } from '../../../../src/core/alerts/figures/figures.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

const HOT = { mostAlerts: [], highestSignal: [], biggestTrades: [] };
const STATS = { alertsToday: 0, avgScoreToday: 0, clustersToday: 0, totalResolved: 0, totalWon: 0 };
const SUMS = { resolved: 0, won: 0, entrySum: 0 };
const PREVIEW = { total: 0, daily: [], newest: [], markets: SUMS, ...SUMS };

function startFigures(at = START) {
  const clock = createFakeClock(at);
  const alerts = {
    hotMarkets: vi.fn<AlertStore['hotMarkets']>(async () => ({ ...HOT })),
    stats: vi.fn<AlertStore['stats']>(async ({ dayStart }) => ({ ...STATS, totalAlerts: dayStart })),
    byId: async () => null,
    latest: async () => [],
    preview: vi.fn<AlertStore['preview']>(async () => PREVIEW),
    search: vi.fn<AlertStore['search']>(async ({ category }) => {
      return { alerts: [], total: category === 'tech' ? 3 : 0 };
    }),
  };
  return { clock, alerts, figures: new Figures({ alerts, clock }) };
}

test('hot markets with a delay are those of that long ago, whole window and results', async () => {
  const { alerts, figures } = startFigures();
  await figures.hotMarkets({ windowMs: DAY, delayMs: 0, category: 'tech' }, 25);
  await figures.hotMarkets({ windowMs: DAY, delayMs: MINUTE }, 10);
  const until = START - MINUTE;
  expect(alerts.hotMarkets.mock.calls).toEqual([
    [{ since: START - DAY, category: 'tech' }, 25],
    [{ since: until - DAY, until, asOf: until }, 10],
  ]);
});

test('contract, Stats: counters reset at UTC midnight, to the millisecond', async () => {
  const { clock, figures } = startFigures(START + DAY - 1);
  expect((await figures.stats({ delayMs: 0 })).totalAlerts).toBe(START);
  await clock.advance(1);
  expect((await figures.stats({ delayMs: 0 })).totalAlerts).toBe(START + DAY);
});

test('stats with a delay are of the clock’s day up to that long ago', async () => {
  const { alerts, figures } = startFigures(START + MINUTE);
  for (const delayMs of [0, 5 * MINUTE]) await figures.stats({ delayMs });
  expect(alerts.stats.mock.calls).toEqual([
    [{ dayStart: START }],
    [{ dayStart: START, until: START - 4 * MINUTE }],
  ]);
});

describe('a preview', () => {
  const windowOf = async (filter: { since?: number; until?: number }, delayMs = 0) => {
    const { alerts, figures } = startFigures();
    const { since, until } = await figures.preview(filter, { delayMs });
    expect(alerts.preview.mock.calls[0]?.[0]).toMatchObject({ since, until });
    return [since, until];
  };

  test('is of the last 30 days up to what may be seen', async () => {
    expect(await windowOf({})).toEqual([START - 30 * DAY, START]);
    expect(await windowOf({}, 5 * MINUTE)).toEqual([START - 5 * MINUTE - 30 * DAY, START - 5 * MINUTE]);
  });

  test('is narrowed by the filter’s own bounds and never widened', async () => {
    expect(await windowOf({ since: START - DAY, until: START - MINUTE })).toEqual([
      START - DAY,
      START - MINUTE,
    ]);
    expect(await windowOf({ since: 0, until: START + DAY })).toEqual([START - 30 * DAY, START]);
    expect(await windowOf({ until: START }, MINUTE)).toEqual([START - MINUTE - 30 * DAY, START - MINUTE]);
  });
});

test('the bets of each category are counted up to the delay, in the 30 days before, and no alert is read', async () => {
  const { alerts, figures } = startFigures();
  const counts = await figures.betCounts({ delayMs: 5 * MINUTE });
  expect([counts.tech, counts.politics]).toEqual([3, 0]);
  const until = START - 5 * MINUTE;
  expect(alerts.search).toHaveBeenCalledTimes(Object.keys(counts).length);
  expect(alerts.search).toHaveBeenCalledWith(
    { since: until - 30 * DAY, until, asOf: until, isPerBet: true, category: 'tech' },
    { page: 1, pageSize: 0 },
  );
});
