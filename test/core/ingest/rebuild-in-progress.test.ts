import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../../src/core/detection/state-chunks.ts';
import type { SnapshotStore } from '../../../src/core/ingest/ingest-stores.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { settlementOf } from '../../support/alerts.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { marketRow, START, tradeRow } from '../../support/rows.ts';
import {
  at,
  foundAfter,
  type Life,
  LOOSER,
  ledgerOf,
  live,
  quickClock,
  rereadable,
  rows,
} from './rebuild-fixture.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

const snapshot = () => database.ingest.readSnapshot('array');
const run = (life: Omit<Life, 'rows'>) => live(database, { rows, ...life });

describe('at the checkpoint of a rebuild', () => {
  /** An order of two fills; the first alone is too small for an alert. */
  const order = [0, 1].map((n) => tradeRow({ usdc: 700, at: at(20), transaction: `0xhalf${n}` }));
  const later = tradeRow({ wallet: '0xlater', usdc: 10, at: at(30) });

  test.each([
    ['is cut in two by it', [...rows, ...order, later], 21],
    ['is whole there and closed by a later row', [...rows, ...order, later], 22],
    ['is whole there and closed by the end of the tape', [...rows, ...order], 22],
  ])('an order that %s is published', async (_name, tape, lastSnapshot) => {
    await live(database, {
      rows: tape,
      until: lastSnapshot,
      lastSnapshot,
      given: { openSource: unclosed(tape) },
    });
    expect(await ledgerOf(database)).toHaveLength(10);
    await live(database, { rows: tape, rules: LOOSER });

    const alerts = await database.alerts.after(10, 10);
    expect(alerts.at(-1)).toMatchObject({ usdc: 1_400, tradedAt: at(20) });
    expect(alerts.map(({ tradedAt }) => tradedAt)).toEqual([at(20)]);
  });

  /** The tape without the close row at its end, as of a process that was killed before it. */
  function unclosed(tape: readonly Row[]) {
    return rereadable([...tape, tradeRow({ wallet: '0xnever', usdc: 10, at: at(20) })]);
  }
});

describe('while the state is rebuilt', () => {
  test('no snapshot is written: killed in the middle it begins again, and gives what an undisturbed one gives', async () => {
    await run({ until: 14 });
    const before = await snapshot();
    const published = await ledgerOf(database);
    for (const until of [3, 13]) {
      await run({ rules: LOOSER, until });
      expect(await snapshot()).toEqual(before);
      expect(await ledgerOf(database)).toEqual(published);
    }
    await run({ rules: LOOSER });

    expect(await ledgerOf(database)).toEqual([...published, ...foundAfter(14, LOOSER)]);
  });

  test('the first snapshot comes as soon as it is over, however long they are apart', async () => {
    await run({ until: 14 });
    const written: unknown[] = [];
    const writeSnapshot: SnapshotStore['writeSnapshot'] = (lease, given) => {
      written.push(given.checkpoint);
      return database.ingest.writeSnapshot(lease, given);
    };
    const store = { ...database.ingest, writeSnapshot };
    await run({ rules: LOOSER, batchSize: 5, given: { snapshotEveryMs: HOUR_MS, store } });

    const madeBy = stateVersionOf(LOOSER);
    expect(written).toMatchObject([
      { offset: 15, madeBy },
      { offset: 20, madeBy },
    ]);
  });

  test('no outcome is booked and no trade counted again', async () => {
    const settled = marketRow({ id: '0xm1', payouts: [1, 0], at: at(20) });
    const tape = [...rows, settled, tradeRow({ usdc: 10, at: at(21) })];
    await live(database, { rows: tape, until: 21 });
    await database.settlements.put(
      settlementOf({ seq: 2, outcomes: [], payouts: [0, 1], resolved: 0, won: 0 }),
    );
    let trades = 0;
    const metrics = {
      ...noMetrics,
      tradesJudged: (count: number) => {
        trades += count;
      },
    };
    await live(database, { rows: tape, rules: LOOSER, given: { metrics } });

    expect(await database.settlements.lastSeq()).toBe(2);
    expect(trades).toBe(1);
  });

  test('its progress is in the log every 10 s at most, its beginning and its end once', async () => {
    await run({ until: 18 });
    let now = START;
    const open = rereadable(rows);
    const openSource: typeof open = async (...start) => {
      const source = await open(...start);
      async function* batches(signal: AbortSignal) {
        for await (const batch of source.batches(signal)) {
          now += SECOND_MS;
          yield batch;
        }
      }
      return { ...source, batches };
    };
    const logger = createRecordingLogger();
    await run({ rules: LOOSER, given: { clock: quickClock(() => now), logger, openSource } });

    const lines = logger.lines.filter(({ message }) => message.includes('state'));
    expect(lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      expect.stringContaining('info: snapshot of other rules or another build'),
      'info: rebuilding the state',
      'info: state rebuilt',
    ]);
    expect(lines[0]?.fields).toMatchObject({
      madeBy: stateVersionOf(DEFAULT_RULES),
      version: stateVersionOf(LOOSER),
    });
    expect(lines[2]?.fields).toEqual({ source: 'array', rows: 18, offset: 18 });
  });
});
