import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../../src/core/alerts/ledger/ledger.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { Database } from '../../../src/core/database.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { judgeBatch } from '../../../src/core/ingest/judge-batch.ts';
import { ObservationWriter } from '../../../src/core/record/observations/observation-writer.ts';
import { Observer } from '../../../src/core/record/observations/observer.ts';
import type { SourceRow } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { arraySource } from '../../support/array-source.ts';
import { ledgerOver } from '../../support/ledger.ts';
import { LoopTurns } from '../../support/loop-turns.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { marketRow, START, tradeRow } from '../../support/rows.ts';
import { quickClock } from './rebuild-fixture.ts';

const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

/** Judges the rows of a tape in one batch. */
async function judge(database: Database, rows: readonly SourceRow[], given: Judged = {}) {
  const { isLive = false, ledger = ledgerOver(database), clock = quickClock(() => START) } = given;
  const source = { ...arraySource([], null), isLive };
  const observer = new Observer();
  const detector = new Detector(DEFAULT_RULES, source, observer);
  const deps = { ledger, clock, metrics: noMetrics };
  const observations = new ObservationWriter(
    { ...deps, store: database.observations },
    { epoch: 0 },
    observer,
  );
  await ledger.open();
  await judgeBatch(deps, { source, detector, observations }, rows, NEVER);
  return { detector, observer };
}

interface Judged {
  readonly isLive?: boolean;
  readonly ledger?: Ledger;
  readonly clock?: Clock;
}

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

/** The source's time after one trade that is dated an hour ahead. */
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

test('no order that was heard lies behind the settlement of its market, which a row may date earlier', async () => {
  const rows = [
    tradeRow({ usdc: 20_000 }),
    tradeRow({ at: START + HOUR / 2 }),
    tradeRow({ at: START + HOUR / 2 + 1_000 }),
    marketRow({ at: START + HOUR / 2 - 1, payouts: [1, 0] }),
  ];
  const { observer } = await judge(
    database,
    rows.map((row, offset) => ({ row, offset })),
  );
  expect(observer.takeMarkets(1)).toMatchObject([{ alerts: [{}], settledAt: START + HOUR / 2 + 1_000 }]);
});

test('between two alerts, of one row or of several, the event loop runs', async () => {
  const turns = new LoopTurns();
  const writtenIn: number[] = [];
  const alerts: typeof database.alerts = {
    ...database.alerts,
    append: (alert) => {
      writtenIn.push(turns.count);
      return database.alerts.append(alert);
    },
  };
  const clock = { ...systemClock, now: () => START };
  // The first row of the next hour closes the five orders of the first second.
  const rows = [0, 0, 0, 0, 0, 1, 2, 3].map((hour, n) =>
    tradeRow({ wallet: `0xw${n}`, marketId: `0xm${n}`, usdc: 20_000, at: START + hour * HOUR }),
  );
  const ledger = ledgerOver({ ...database, alerts });
  await judge(
    database,
    rows.map((row, offset) => ({ row, offset })),
    { ledger, clock },
  );

  expect(writtenIn.length).toBe(7);
  expect(new Set(writtenIn).size).toBe(7);
  turns.stop();
});
