import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../../src/core/alerts/ledger/ledger.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { Database } from '../../../src/core/database.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { judgeBatch } from '../../../src/core/ingest/judge-batch.ts';
import type { SnapshotWriter } from '../../../src/core/ingest/snapshot-writer.ts';
import { PriceWatch } from '../../../src/core/record/prices/price-watch.ts';
import type { SourceRow } from '../../../src/core/trades/source/source.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { arraySource } from '../../support/array-source.ts';
import { takeLease } from '../../support/lease.ts';
import { ledgerOver, ledgerParts } from '../../support/ledger.ts';
import { LoopTurns } from '../../support/loop-turns.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { closeRow, marketRow, START, tradeRow, walletRow } from '../../support/rows.ts';
import { wholeLog } from '../../support/whole-log.ts';
import { withMethods } from '../../support/with-methods.ts';
import { quickClock } from './rebuild-fixture.ts';

const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

async function judge(database: Database, rows: readonly SourceRow[], given: Judged = {}) {
  const { isLive = false, ledger = ledgerOver(database), clock = quickClock(() => START) } = given;
  const { snapshots = { isDue: false, write: async () => {} } } = given;
  const source = { ...arraySource([], null), isLive };
  const lease = await takeLease(database);
  const prices = new PriceWatch({ prices: database.prices, clock }, lease);
  const detector = new Detector(DEFAULT_RULES, source, prices);
  const { exits } = ledgerParts(database);
  const deps = { ledger, exits, clock, metrics: noMetrics };
  await ledger.open(1);
  await judgeBatch(deps, { source, detector, prices, snapshots }, rows, NEVER);
  return { detector, prices };
}

interface Judged {
  readonly isLive?: boolean;
  readonly ledger?: Ledger;
  readonly clock?: Clock;
  readonly snapshots?: Pick<SnapshotWriter, 'isDue' | 'write'>;
}

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

async function timeAfter(isLive: boolean, accepted: { acceptedAt?: number }): Promise<number> {
  const row = { row: tradeRow({ at: START + HOUR }), offset: 1, ...accepted };
  const { detector } = await judge(database, [row], { isLive, clock: quickClock(() => START + 5) });
  return detector.time;
}

test('the source’s time never runs ahead of the moment a row was accepted, on tapes and in a recovery too', async () => {
  expect(await timeAfter(true, {})).toBe(START + 5);
  expect(await timeAfter(true, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, {})).toBe(START + HOUR);
});

test('a market is settled at the source’s time, which a row may date earlier, and no price of its orders is later', async () => {
  const rows = [
    tradeRow({ usdc: 20_000 }),
    tradeRow({ at: START + HOUR / 2 }),
    tradeRow({ at: START + HOUR / 2 + 1_000 }),
    marketRow({ at: START + HOUR / 2 - 1, payouts: [1, 0] }),
  ];
  const { prices } = await judge(
    database,
    rows.map((row, offset) => ({ row, offset })),
  );
  await prices.flush();
  const settledAt = START + HOUR / 2 + 1_000;
  expect(await database.prices.markets(['0xm1'])).toMatchObject([{ alerts: [{}], settledAt }]);
});

/** Orders that are alerts, one per wallet and market; each row of a later hour closes those before it. */
const ordersOf = (hours: readonly number[]): SourceRow[] =>
  hours.map((hour, n) => ({
    row: tradeRow({ wallet: `0xw${n}`, marketId: `0xm${n}`, usdc: 20_000, at: START + hour * HOUR }),
    offset: n,
  }));

function ledgerWriting(onWrite: (entries: number) => void, most: number): Ledger {
  const append: typeof database.log.append = (entries) => {
    onWrite(entries.length);
    return database.log.append(entries);
  };
  const log = withMethods(database.log, { append });
  return ledgerOver({ ...database, log }, { groups: { most, slowMs: 25 } });
}

test('the alerts of a batch are written together, at most a group at a time, and numbered in order', async () => {
  const writes: number[] = [];
  const ledger = ledgerWriting((count) => writes.push(count), 3);
  await judge(database, ordersOf([0, 0, 0, 0, 0, 0, 0, 1]), { ledger });

  expect(writes).toEqual([3, 3, 1]);
  const found = await database.alerts.after(0, 10);
  expect(found.map(({ id, wallet }) => [id, wallet])).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((n) => [n + 1, `0xw${n}`]),
  );
});

test('a settlement follows the alerts before it, and a snapshot has exactly the alerts up to its row', async () => {
  const events: string[] = [];
  const seen = async (what: string) =>
    events.push(`${what} after ${(await database.alerts.last())?.id ?? 0}`);
  const settled = { row: marketRow({ id: '0xm0', at: START + HOUR, payouts: [1, 0] }), offset: 2 };
  const [first, second, ...rest] = ordersOf([0, 1, 2, 3, 4]);
  const rows = [first, second, settled, ...rest].map((row, offset) => ({ ...(row as SourceRow), offset }));
  const snapshots = {
    get isDue() {
      return events.length < 2;
    },
    write: async (offset: number) => void (await seen(`snapshot ${offset}`)),
  };
  await judge(database, rows, { snapshots });

  expect(events).toEqual(['snapshot 0 after 0', 'snapshot 1 after 1']);
  const kinds = (await wholeLog(database)).map(({ kind }) => kind);
  expect(kinds.join(' ')).toBe('alert settlement alert alert alert');
});

test('between two groups the event loop runs', async () => {
  const turns = new LoopTurns();
  const writtenIn: number[] = [];
  const ledger = ledgerWriting(() => writtenIn.push(turns.count), 1);
  await judge(database, ordersOf([0, 0, 0, 1]), { ledger, clock: { ...systemClock, now: () => START } });

  expect(new Set(writtenIn).size).toBe(3);
  turns.stop();
});

test.each([
  ['the row of its market', marketRow({ id: '0xm1', eventSlug: 'measures' })],
  ['a later trade', tradeRow({ at: START + HOUR, usdc: 1, eventSlug: 'measures' })],
])(
  'an alert of a trade that names no event learns it from %s, in the same batch and in a later one',
  async (_, row) => {
    const ledger = ledgerOver(database);
    const alerts = [walletRow(), tradeRow({ usdc: 20_000 }), closeRow(START + 60_000)];
    const batch = (rows: readonly Row[]) =>
      judge(
        database,
        rows.map((each, offset) => ({ row: each, offset })),
        { ledger },
      );
    await batch(alerts);
    expect(await database.alerts.byId(1)).toMatchObject({ marketId: '0xm1', marketEvent: null });
    await batch([row]);
    expect(await database.alerts.byId(1)).toMatchObject({ marketEvent: 'measures' });
    const other = { marketId: '0xm2', asset: '2001' };
    const named =
      row.kind === 'market'
        ? { ...row, market: { ...row.market, id: '0xm2' } }
        : tradeRow({ at: START + HOUR, ...other, eventSlug: 'measures' });
    await batch([walletRow(), tradeRow({ usdc: 20_000, ...other }), closeRow(START + 60_000), named]);
    expect(await database.alerts.byId(2)).toMatchObject({ marketId: '0xm2', marketEvent: 'measures' });
  },
);
