import { expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { makeRecord, type RecordRequest } from '../../../src/core/record/make-record.ts';
import { marketOf } from '../../infra/database/watched.ts';
import { alertOf } from '../../support/alerts.ts';
import { REQUEST } from '../../support/records.ts';

const START = Date.UTC(2027, 0, 1);
const HOUR_MS = 3_600_000;
const REQUESTED: RecordRequest = {
  ...REQUEST,
  asOf: START + 9 * HOUR_MS,
  publishedUntil: START + 9 * HOUR_MS,
};

const watched = ({ key, tradedAt, detectedAt }: Alert) => {
  return { key, tradedAt, detectedAt, bought: { at: detectedAt + 60_000, price: 0.4 }, later: null };
};

/** Each is published when it is detected, and bought at .4 a minute later. */
function made(alerts: readonly Alert[], given: Partial<RecordRequest> = {}, settledAt: number | null = null) {
  const sources = {
    alerts: {
      after: async (id: number, limit: number) => alerts.filter((one) => one.id > id).slice(0, limit),
    },
    prices: {
      markets: async (ids: readonly string[]) =>
        [...new Set(ids)].map((marketId) => {
          const own = alerts.filter((alert) => alert.marketId === marketId);
          return marketOf({ marketId, settledAt, alerts: own.map(watched) });
        }),
    },
  };
  return makeRecord(sources, { ...REQUESTED, ...given });
}

const at = (hour: number, id: number, given: Partial<Alert> = {}) =>
  alertOf({
    id,
    wallet: `0x${id}`,
    detectedAt: START + hour * HOUR_MS,
    createdAt: START + hour * HOUR_MS,
    ...given,
  });

test('an alert counts when it is the first of its wallet, market and outcome, whatever its type', async () => {
  const { alerts, counted } = await made([
    at(1, 1, { wallet: '0xa', type: 'fresh' }),
    at(1, 2, { wallet: '0xa', type: 'cluster' }),
    at(1, 3, { wallet: '0xb', type: 'cluster' }),
    at(1, 4, { wallet: '0xa', outcome: 'No' }),
    at(1, 5, { wallet: '0xb', marketId: '0xother' }),
  ]);
  expect([alerts, counted]).toEqual([5, 4]);
});

test('all pages of alerts are read', async () => {
  const alerts = Array.from({ length: 450 }, (_, index) => at(1, index + 1));
  expect(await made(alerts)).toMatchObject({ alerts: 450, counted: 450 });
});

test('the first day and what follows count alone once it has come; before it everything is a rehearsal', async () => {
  const alerts = [at(-1, 1, { wallet: '0xa' }), at(0, 2), at(1, 3, { wallet: '0xa' })];
  expect(await made(alerts)).toMatchObject({ is_rehearsal: false, alerts: 2, counted: 1 });
  const rehearsed = await made(alerts, { asOf: START - 1 });
  expect(rehearsed).toMatchObject({ is_rehearsal: true, alerts: 1, counted: 1 });
});

test('an alert that is not public yet is left out, and so is one that came after the cut-off', async () => {
  const alerts = [at(1, 1), at(2, 2), at(3, 3)];
  expect((await made(alerts, { publishedUntil: START + 2 * HOUR_MS })).alerts).toBe(2);
  expect((await made(alerts, { asOf: START + 2 * HOUR_MS })).alerts).toBe(2);
});

test('a result counts from the settlement on, and is the newest one', async () => {
  const resolution = { payout: 1, won: true, profitUsdc: 5 };
  const settledAt = START + 5 * HOUR_MS;
  expect(await made([at(1, 1, { resolution })])).toMatchObject({ settled: 0, payout: { open: 1 } });
  expect(await made([at(1, 1, { resolution })], {}, settledAt)).toMatchObject({
    right: 1,
    payout: { mean: 0.6 },
  });
  const corrected = { payout: 0, won: false, profitUsdc: -5 };
  expect(await made([at(1, 1, { resolution: corrected })], {}, settledAt)).toMatchObject({
    settled: 1,
    right: 0,
    payout: { mean: -0.4 },
  });
});

test('markets of one event are one bet to the payout, and a market of an unknown event is its own', async () => {
  const both = (given: Partial<Alert>) =>
    made([
      at(1, 1, { marketId: '0x1', eventSlug: 'first', ...given }),
      at(2, 2, { marketId: '0x2', eventSlug: 'second', ...given }),
    ]);
  expect((await both({ marketEvent: 'event' })).payout.bets).toBe(1);
  expect((await both({ marketEvent: null })).payout.bets).toBe(2);
});

test('a run that is aborted ends with the reason', async () => {
  const signal = AbortSignal.abort(new Error('stopping'));
  const sources = {
    alerts: { after: async () => [at(1, 1)] },
    prices: { markets: async () => [] },
  };
  await expect(makeRecord(sources, REQUESTED, signal)).rejects.toThrow('stopping');
});
