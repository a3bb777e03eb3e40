import { expect, test } from 'vitest';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { judgeBatch } from '../../../src/core/ingest/judge-batch.ts';
import { ObservationWriter } from '../../../src/core/record/observations/observation-writer.ts';
import { Observer } from '../../../src/core/record/observations/observer.ts';
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

/** The source's time after one trade that is dated an hour ahead. */
async function timeAfter(isLive: boolean, accepted: { acceptedAt?: number }): Promise<number> {
  const database = await openDatabase('sqlite::memory:');
  const ledger = ledgerOver(database);
  const source = { ...arraySource([], null), isLive };
  const detector = new Detector(DEFAULT_RULES, source);
  const deps = { ledger, clock: quickClock(() => START + 5), metrics: noMetrics };
  const store = database.observations;
  const observations = new ObservationWriter(
    { ...deps, clock: quickClock(() => START), store },
    { epoch: 0 },
    new Observer(),
  );
  const batch = [{ row: tradeRow({ at: START + HOUR }), offset: 1, ...accepted }];
  await judgeBatch(deps, { source, detector, observations }, batch, NEVER);
  await database.close();
  return detector.time;
}

test('the source’s time never runs ahead of the moment a row was accepted, on tapes and in a recovery too', async () => {
  expect(await timeAfter(true, {})).toBe(START + 5);
  expect(await timeAfter(true, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, {})).toBe(START + HOUR);
});

test('no order that was heard lies behind the settlement of its market, which a row may date earlier', async () => {
  const database = await openDatabase('sqlite::memory:');
  const source = arraySource([], null);
  const observer = new Observer();
  const detector = new Detector(DEFAULT_RULES, source, observer);
  const ledger = ledgerOver(database);
  await ledger.open();
  const deps = { ledger, clock: quickClock(() => START), metrics: noMetrics };
  const observations = new ObservationWriter(
    { ...deps, store: database.observations },
    { epoch: 0 },
    observer,
  );
  const rows = [
    tradeRow({ usdc: 20_000 }),
    tradeRow({ at: START + HOUR / 2 }),
    tradeRow({ at: START + HOUR / 2 + 1_000 }),
    marketRow({ at: START + HOUR / 2 - 1, payouts: [1, 0] }),
  ];
  await judgeBatch(
    deps,
    { source, detector, observations },
    rows.map((row, offset) => ({ row, offset })),
    NEVER,
  );
  expect(observer.takeMarkets(1)).toMatchObject([{ alerts: [{}], settledAt: START + HOUR / 2 + 1_000 }]);
  await database.close();
});

test('between two alerts, of one row or of several, the event loop runs', async () => {
  const database = await openDatabase('sqlite::memory:');
  const turns = new LoopTurns();
  const writtenIn: number[] = [];
  const alerts: typeof database.alerts = {
    ...database.alerts,
    append: (alert) => {
      writtenIn.push(turns.count);
      return database.alerts.append(alert);
    },
  };
  const ledger = ledgerOver({ ...database, alerts });
  await ledger.open();
  const source = arraySource([], null);
  const observer = new Observer();
  const detector = new Detector(DEFAULT_RULES, source, observer);
  const deps = { ledger, clock: { ...systemClock, now: () => START }, metrics: noMetrics };
  const observations = new ObservationWriter(
    { ...deps, store: database.observations },
    { epoch: 0 },
    observer,
  );
  // The first row of the next hour closes the five orders of the first second.
  const rows = [0, 0, 0, 0, 0, 1, 2, 3].map((hour, n) =>
    tradeRow({ wallet: `0xw${n}`, marketId: `0xm${n}`, usdc: 20_000, at: START + hour * HOUR }),
  );
  await judgeBatch(
    deps,
    { source, detector, observations },
    rows.map((row, offset) => ({ row, offset })),
    NEVER,
  );

  expect(writtenIn.length).toBe(7);
  expect(new Set(writtenIn).size).toBe(7);
  turns.stop();
  await database.close();
});
