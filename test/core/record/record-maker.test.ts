import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { MarketSettlement } from '../../../src/core/alerts/settlement.ts';
import type { ObservedMarket } from '../../../src/core/record/observations/observation-store.ts';
import {
  observedMarkets,
  RecordMaker,
  type RecordRequest,
  type RecordStores,
  readRecordMarket,
} from '../../../src/core/record/record-maker.ts';
import type { RecordReport } from '../../../src/core/record/record-report.ts';
import { FIRST_HOUR, HOUR_MS, marketOf } from '../../infra/database/observed.ts';
import { alertOf, settlementOf } from '../../support/alerts.ts';
import { REQUEST } from '../../support/records.ts';

const LATER = FIRST_HOUR + 200 * HOUR_MS;
const REQUESTED: RecordRequest = { ...REQUEST, asOf: LATER, publishedUntil: LATER };

function stores(...markets: ObservedMarket[]) {
  const alerts = new Map<string, Alert[]>();
  const settlements: MarketSettlement[] = [];
  const read: string[] = [];
  const alertIn = (marketId: string, id: number, createdAt = FIRST_HOUR) =>
    alertOf({ id, marketId, tradedAt: FIRST_HOUR, detectedAt: FIRST_HOUR, createdAt, wallet: `0x${id}` });
  for (const [index, { marketId }] of markets.entries()) alerts.set(marketId, [alertIn(marketId, index + 1)]);
  const sources = {
    observations: {
      markets: async ({ after = '' }: { after?: string }) =>
        markets.filter(({ marketId }) => marketId > after),
      async hours(marketId: string) {
        if (read.at(-1) !== marketId) read.push(marketId);
        return [];
      },
    },
    alerts: {
      ofMarket: async (marketId: string, _limit: number, afterId = 0) =>
        (alerts.get(marketId) ?? []).filter(({ id }) => id > afterId),
    },
    settlements: {
      get: async (marketId: string) => settlements.findLast((one) => one.marketId === marketId) ?? null,
      after: async (seq: number) => settlements.filter((one) => one.seq > seq),
      lastSeq: async () => settlements.at(-1)?.seq ?? 0,
    },
  };
  const settle = (marketId: string, payouts: number[]) =>
    settlements.push(settlementOf({ marketId, payouts, seq: settlements.length + 1 }));
  return { sources, alerts, alertIn, settle, markets, read: () => read.splice(0) };
}

const closed = (marketId: string) =>
  marketOf({ marketId, slug: marketId, isOpen: false, settledAt: FIRST_HOUR + 72 * HOUR_MS });
const wonOf = ({ stages }: RecordReport) => stages[0]?.figures.won_minus_price.mean;

describe('making the record', () => {
  test('a market that is closed and settled is read once, all others each time', async () => {
    const { sources, settle, read } = stores(closed('a'), marketOf({ marketId: 'b' }), closed('c'));
    settle('a', [1, 0]);
    const maker = new RecordMaker();
    const first = await maker.make(sources, REQUESTED);
    expect(read()).toEqual(['a', 'b', 'c']);
    const second = await maker.make(sources, REQUESTED);
    expect(read()).toEqual(['b', 'c']);
    expect([first.measured, second.measured]).toEqual([3, 2]);
    expect(second.text).toBe(first.text);
    expect([first.alerts, first.events]).toEqual([3, 3]);
  });

  test('it is read again when its outcome is corrected, or when it has another alert', async () => {
    const { sources, alerts, alertIn, settle, markets, read } = stores(closed('a'));
    settle('a', [1, 0]);
    const maker = new RecordMaker();
    expect(wonOf(JSON.parse((await maker.make(sources, REQUESTED)).text))).toBe(0.6);
    settle('a', [0, 1]);
    expect(wonOf(JSON.parse((await maker.make(sources, REQUESTED)).text))).toBe(-0.4);
    read();
    alerts.get('a')?.push(alertIn('a', 2));
    const [before] = markets.splice(0);
    const known = { key: 'k2', tradedAt: FIRST_HOUR, detectedAt: FIRST_HOUR };
    markets.push({ ...(before as ObservedMarket), alerts: [...(before?.alerts ?? []), known] });
    expect((await maker.make(sources, REQUESTED)).alerts).toBe(2);
    expect(read()).toEqual(['a']);
  });

  test('an alert that is not public yet is left out, and its market is not remembered without it', async () => {
    const { sources, alerts, alertIn, settle, read } = stores(closed('a'));
    settle('a', [1, 0]);
    alerts.get('a')?.push(alertIn('a', 2, LATER + 1));
    const maker = new RecordMaker();
    expect((await maker.make(sources, REQUESTED)).alerts).toBe(1);
    expect(read()).toEqual(['a']);
    expect((await maker.make(sources, { ...REQUESTED, publishedUntil: LATER + 1 })).alerts).toBe(2);
    expect(read()).toEqual(['a']);
  });
});

const SPANS = [
  { from: 0, until: 700 * HOUR_MS },
  { from: 900 * HOUR_MS, until: 910 * HOUR_MS },
];
const MARKETS = Array.from({ length: 250 }, (_, index) =>
  marketOf({ marketId: `0xm${String(index).padStart(3, '0')}`, spans: SPANS }),
);
const HOURS = Array.from({ length: 1_000 }, (_, index) => ({ hour: index * HOUR_MS, text: '' }));
const ALERTS = Array.from({ length: 450 }, (_, index) => alertOf({ id: index + 1 }));

const PAGED: RecordStores = {
  observations: {
    markets: async ({ after = '', limit }) =>
      MARKETS.filter(({ marketId }) => marketId > after).slice(0, limit),
    hours: async (marketId, { from, until, limit }) =>
      HOURS.filter(({ hour }) => hour >= from && hour < until)
        .slice(0, limit)
        .map((hour) => ({ marketId, ...hour })),
  },
  alerts: { ofMarket: async (_id, limit, afterId = 0) => ALERTS.slice(afterId, afterId + limit) },
  settlements: { get: async (marketId) => settlementOf({ marketId }) },
};

test('every market is read once, in order, with its hours by the minute, its alerts and its outcome, whatever the pages', async () => {
  const read: ObservedMarket[] = [];
  for await (const market of observedMarkets(PAGED.observations)) read.push(market);
  expect(read).toEqual(MARKETS);
  const first = await readRecordMarket(PAGED, read[0] as ObservedMarket);
  // After each span the first hour, for a price that is late.
  const hours = [...Array(701).keys(), ...Array.from({ length: 11 }, (_, index) => 900 + index)];
  expect(first.hours.map(({ hour }) => hour / HOUR_MS)).toEqual(hours);
  expect(first.alerts).toEqual(ALERTS);
  expect(first.settlement).toEqual({ outcomes: ['Yes', 'No'], payouts: [1, 0] });
});
