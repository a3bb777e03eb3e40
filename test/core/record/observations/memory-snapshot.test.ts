import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Database } from '../../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../../../src/core/detection/state-chunks.ts';
import { SnapshotWriter, StoredParts } from '../../../../src/core/ingest/snapshot-writer.ts';
import { OrderMemory } from '../../../../src/core/record/observations/order-memory.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { arraySource } from '../../../support/array-source.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { quickClock } from '../../ingest/rebuild-fixture.ts';
import { HOUR_0, orderOf, wholeOf } from './observation-fixture.ts';

const LIMITS = { segmentRows: 10, rows: 40, largeBuys: 1_000 };
const SOURCE = 'array';

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

test('segments come and go: each snapshot is the memory at its moment, over restarts, and nothing else is stored', async () => {
  let orders = 0;
  for (let life = 0; life < 4; life++) {
    const lease = await database.ingest.acquire({ owner: 'one', now: 0, ttlMs: 1, isGone: () => true });
    if (lease === null) throw new Error('no lease');
    const memory = new OrderMemory(() => {}, LIMITS);
    const sets = async () => (await database.ingest.readSnapshot(SOURCE))?.sets ?? [];
    const stored = await StoredParts.restore(database.ingest, await sets(), memory);
    const writer = new SnapshotWriter(
      {
        store: database.ingest,
        clock: quickClock(() => 0),
        metrics: noMetrics,
        snapshotEveryMs: 0,
        sourceName: SOURCE,
      },
      {
        lease,
        source: arraySource([], null),
        state: memory,
        version: stateVersionOf(DEFAULT_RULES),
        stored,
        time: () => 0,
        flush: async () => {},
      },
    );
    for (let n = 0; n < 30; n++) {
      for (let m = 0; m < 1 + life * 2; m++, orders++)
        memory.add(
          orderOf({ wallet: `0x${orders}`, marketId: `0xm${orders % 7}`, at: HOUR_0 + orders * SECOND_MS }),
          'fresh',
        );
      await writer.after(orders);
      const restored = new OrderMemory(() => {}, LIMITS);
      await StoredParts.restore(database.ingest, await sets(), restored);
      expect(wholeOf(restored.parts)).toEqual(wholeOf(memory.parts));
    }
    expect(memory.parts.size).toBeLessThanOrEqual(3 + 4);
    expect(await database.ingest.dropChunks(lease, SOURCE, 100)).toBe(0);
    expect((await sets()).length).toBeLessThanOrEqual(7 * 8);
  }
  expect(orders).toBe(480);
});
