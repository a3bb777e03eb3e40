import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Lease, LeaseLost } from '../../../../src/core/base/lease/lease.ts';
import { HOUR_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Database } from '../../../../src/core/database.ts';
import type { Candidate } from '../../../../src/core/detection/candidate.ts';
import type { ObservationBatch } from '../../../../src/core/record/observations/observation-store.ts';
import { ObservationWriter } from '../../../../src/core/record/observations/observation-writer.ts';
import { Observer } from '../../../../src/core/record/observations/observer.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { takeIngestLease } from '../../../support/ingest-lease.ts';
import { marketRow } from '../../../support/rows.ts';
import { quickClock } from '../../ingest/rebuild-fixture.ts';
import { type fillOf, HOUR_0, orderOf } from './observation-fixture.ts';
import { UNKNOWN } from './observer-fixture.ts';

let database: Database;
let lease: Lease;
let now: number;
let batches: ObservationBatch[];
let counts: Record<'written' | 'kept', number>;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  lease = await takeIngestLease(database, 'one');
  now = 0;
  batches = [];
  counts = { written: 0, kept: 0 };
});
afterEach(() => database.close());

function begin(held: Lease = lease) {
  const observer = new Observer();
  const store: typeof database.observations = {
    ...database.observations,
    write(given, batch) {
      batches.push(batch);
      return database.observations.write(given, batch);
    },
  };
  const metrics = {
    hoursObserved: (outcome: 'written' | 'kept', count: number) => {
      counts[outcome] += count;
    },
  };
  const clock = quickClock(() => now);
  const writer = new ObservationWriter({ store, clock, metrics }, held, observer);
  const order = (given: Parameters<typeof fillOf>[0]) => observer.order(orderOf(given));
  const alert = (tradedAt: number, marketId = '0xm1') => {
    const candidate = { key: `${marketId} ${tradedAt}`, marketId, category: 'other' } as Candidate;
    const words = { eventTitle: '', eventSlug: '' };
    return writer.alert(
      { ...candidate, ...words },
      { tradedAt, closedAt: tradedAt, detectedAt: tradedAt },
      UNKNOWN,
    );
  };
  const fill = async (count: number, after: (n: number) => Promise<void> | void = () => {}) => {
    for (let n = 0; n < count; n++) {
      order({ marketId: `0xm${n}` });
      await alert(HOUR_0, `0xm${n}`);
      await after(n);
    }
  };
  return { observer, writer, order, alert, fill };
}

async function storedHours(marketId = '0xm1') {
  const range = { from: 0, until: 1e13, limit: 1_000 };
  const hours = await database.observations.hours(marketId, range);
  return hours.map(({ text }) => {
    const { orders, from } = JSON.parse(text) as { orders: [number][]; from?: number };
    return { seconds: orders.map(([second]) => second), from };
  });
}

test('hours are written in batches of at most 200, each market before its hours', async () => {
  const { writer, fill } = begin();
  await fill(450);
  await writer.flush();
  expect(batches.map(({ markets, hours }) => [markets.length, hours.length])).toEqual([
    [200, 0],
    [200, 0],
    [50, 0],
    [0, 200],
    [0, 200],
    [0, 50],
  ]);
  expect(counts).toEqual({ written: 450, kept: 0 });
  await writer.flush();
  expect(batches).toHaveLength(6);
});

test('it is due when an hour of the source begins, a second after the last time, or earlier with 1,000 hours that wait', async () => {
  const { writer, fill } = begin();
  const dueAt = (hour: number) => {
    writer.advance(HOUR_0 + hour * HOUR_MS);
    return writer.isDue;
  };
  expect(dueAt(0)).toBe(false);
  await writer.flush();
  expect(dueAt(1)).toBe(false);
  now += SECOND_MS;
  expect([writer.isDue, dueAt(1.9), dueAt(2)]).toEqual([false, false, true]);
  await writer.flush();
  await fill(999);
  expect(dueAt(3)).toBe(false);
  await fill(1_000);
  expect(dueAt(4)).toBe(true);
});

test('what is judged during a write in the background is written by it or by the next, a market before its hours', async () => {
  const { writer, fill } = begin();
  await fill(1_000, (n) => (n % 50 === 0 ? writer.beginFlush() : undefined));
  await writer.flush();

  const written = new Set<string>();
  for (const { markets, hours } of batches) {
    for (const { marketId } of markets) written.add(marketId);
    for (const { marketId } of hours) expect(written).toContain(marketId);
  }
  expect(written.size).toBe(1_000);
  expect(counts.written).toBe(1_000);
});

test('a write in the background that is refused or fails is thrown by the next', async () => {
  const { writer, order, alert } = begin({ ...lease, epoch: lease.epoch + 1 });
  order({});
  await alert(HOUR_0);
  await writer.beginFlush();

  await expect(writer.beginFlush()).rejects.toThrow(LeaseLost);
  await expect(writer.flush()).rejects.toThrow(LeaseLost);
});

test('a run continues with the markets that are open, also with more than are read at a time', async () => {
  const first = begin();
  await first.fill(401);
  await first.writer.flush();
  const { observer, writer } = begin();
  await writer.open();
  expect(observer.markets).toBe(401);
});

test('a market that was closed and alerts again continues with what is stored of it', async () => {
  const first = begin();
  first.order({});
  await first.alert(HOUR_0);
  const { market } = marketRow({ payouts: [1, 0] }) as Extract<
    ReturnType<typeof marketRow>,
    { kind: 'market' }
  >;
  first.writer.market(market, HOUR_0);
  first.writer.advance(HOUR_0 + 200 * HOUR_MS);
  await first.writer.flush();
  expect(await database.observations.market('0xm1')).toMatchObject({ isOpen: false, alerts: [{}] });
  const later = HOUR_0 + 300 * HOUR_MS;
  const second = begin();
  await second.writer.open();
  second.order({ at: later });
  await second.alert(HOUR_0);
  expect(second.observer.markets).toBe(0);
  await second.alert(later);
  await second.writer.flush();
  expect(await database.observations.market('0xm1')).toMatchObject({ isOpen: true, alerts: [{}, {}] });
});

test('an hour of which the beginning is forgotten never replaces a more complete one, but one that is no better', async () => {
  const first = begin();
  first.order({ wallet: '0xa' });
  first.order({ wallet: '0xb', at: HOUR_0 + 60_000 });
  await first.alert(HOUR_0);
  await first.writer.flush();

  const second = begin();
  await second.writer.open();
  second.order({ wallet: '0xc', at: HOUR_0 + 120_000 });
  await second.writer.flush();
  expect(await storedHours()).toEqual([{ seconds: [0, 60], from: undefined }]);
  expect(counts).toEqual({ written: 1, kept: 1 });

  second.order({ marketId: '0xm2', at: HOUR_0 + 130_000 });
  await second.alert(HOUR_0 + 130_000, '0xm2');
  await second.writer.flush();
  second.order({ marketId: '0xm2', at: HOUR_0 + 190_000 });
  await second.writer.flush();
  expect(await storedHours('0xm2')).toEqual([{ seconds: [130, 190], from: 120 }]);
  expect(counts).toEqual({ written: 3, kept: 1 });
});
