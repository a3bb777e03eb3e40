import { expect, test } from 'vitest';
import { createDetector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { judgeBatch } from '../../../src/core/ingest/judge-batch.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import type { Row } from '../../../src/core/trade.ts';
import { openDatabase } from '../../../src/infra/database.ts';
import { arraySource } from '../../support/array-source.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START, tradeRow } from '../../support/rows.ts';

const HOUR = 3_600_000;

/** The source's time after one trade that is dated an hour ahead. */
async function timeAfter(isLive: boolean, accepted: { acceptedAt?: number }): Promise<number> {
  const database = await openDatabase('sqlite::memory:');
  const ledger = createLedger({
    ...database,
    metrics: noMetrics,
    onAppended: () => {},
    onResolved: () => {},
  });
  const source = { ...arraySource([], null), isLive };
  const detector = createDetector(DEFAULT_RULES, source);
  const deps = { ledger, clock: { now: () => START + 5 }, metrics: noMetrics };
  await judgeBatch(deps, source, detector, [{ row: tradeRow({ at: START + HOUR }), offset: 1, ...accepted }]);
  await database.close();
  return detector.time;
}

test('a removed fill is counted when it had been taken, else as a row that was left out', async () => {
  const database = await openDatabase('sqlite::memory:');
  const counts = { removed: 0, dropped: [] as string[] };
  const metrics = {
    ...noMetrics,
    tradeRemoved: () => (counts.removed += 1),
    rowDropped: (reason: string) => counts.dropped.push(reason),
  };
  const source = arraySource([], null);
  const ledger = createLedger({ ...database, metrics, onAppended: () => {}, onResolved: () => {} });
  const trade = tradeRow();
  const rows = [trade, ...[1, 2].map(() => ({ ...trade, kind: 'removed' }) as Row)];
  await judgeBatch(
    { ledger, clock: { now: () => START }, metrics },
    source,
    createDetector(DEFAULT_RULES, source),
    rows.map((row, offset) => ({ row, offset })),
  );
  expect(counts).toEqual({ removed: 1, dropped: ['unknown_fill'] });
  await database.close();
});

test('the source’s time never runs ahead of the moment a row was accepted, on tapes and in a recovery too', async () => {
  expect(await timeAfter(true, {})).toBe(START + 5);
  expect(await timeAfter(true, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, { acceptedAt: START + 9 })).toBe(START + 9);
  expect(await timeAfter(false, {})).toBe(START + HOUR);
});
