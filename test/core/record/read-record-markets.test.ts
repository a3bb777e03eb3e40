import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { ObservedMarket } from '../../../src/core/record/observations/observation-store.ts';
import {
  observedMarkets,
  type RecordStores,
  readRecordMarket,
} from '../../../src/core/record/record-maker.ts';
import { alertOf } from '../../support/alerts.ts';

const MARKETS = Array.from({ length: 250 }, (_, index) => observed(`0xm${String(index).padStart(3, '0')}`));

function observed(marketId: string): ObservedMarket {
  const spans = [
    { from: 0, until: 700 * HOUR_MS },
    { from: 900 * HOUR_MS, until: 910 * HOUR_MS },
  ];
  const names = { question: '', slug: '', eventSlug: null, eventTitle: null, category: 'other' } as const;
  const base = { baseAsset: '1', baseOutcome: 'Yes', baseOutcomeIndex: 0, otherAsset: null };
  return { marketId, ...base, ...names, completeFrom: 0, alerts: [], spans, settledAt: null, isOpen: true };
}

/** Each market has 1,000 hours; the first has 450 alerts and an outcome. */
const stores: RecordStores = {
  observations: {
    markets: async ({ after = '', limit }) =>
      MARKETS.filter(({ marketId }) => marketId > after).slice(0, limit),
    hours: async (marketId, { from, until, limit }) =>
      Array.from({ length: 1_000 }, (_, index) => ({ marketId, hour: index * HOUR_MS, text: '' }))
        .filter(({ hour }) => hour >= from && hour < until)
        .slice(0, limit),
  },
  alerts: {
    ofMarket: async (marketId, limit, afterId = 0) =>
      Array.from({ length: marketId === '0xm000' ? 450 : 0 }, (_, index) => alertOf({ id: index + 1 }))
        .filter(({ id }) => id > afterId)
        .slice(0, limit),
  },
  settlements: {
    get: async (marketId) =>
      marketId === '0xm000'
        ? { marketId, seq: 1, outcomes: ['Yes', 'No'], payouts: [1, 0], resolved: 450, won: 450 }
        : null,
  },
};

test('every market is read once, in order, with its hours by the minute, its alerts and its outcome, whatever the pages', async () => {
  const read = [];
  for await (const market of observedMarkets(stores.observations)) read.push(market);
  expect(read).toEqual(MARKETS);
  const [first, second] = await Promise.all(
    read.slice(0, 2).map((market) => readRecordMarket(stores, market)),
  );
  const hours = [...Array(700).keys(), ...Array.from({ length: 10 }, (_, index) => 900 + index)];
  expect(first?.hours.map(({ hour }) => hour / HOUR_MS)).toEqual(hours);
  expect(first?.alerts.map(({ id }) => id)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  expect(first?.settlement).toEqual({ outcomes: ['Yes', 'No'], payouts: [1, 0] });
  expect(second).toMatchObject({ alerts: [], settlement: null });
});
