import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Lease, LeaseLost } from '../../../src/core/base/lease/lease.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../../src/core/detection/state-chunks.ts';
import type { IngestDeps } from '../../../src/core/ingest/ingest-deps.ts';
import { SnapshotWriter, StoredParts } from '../../../src/core/ingest/snapshot-writer.ts';
import type { Checkpoint } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { arraySource } from '../../support/array-source.ts';
import { takeLease } from '../../support/lease.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { START, tradeRow } from '../../support/rows.ts';
import { createUnrulyProcess, type Rule, unlessKilled } from '../../support/unruly-store.ts';
import { readWhole } from '../../support/whole-snapshot.ts';
import { quickClock } from './rebuild-fixture.ts';

const SOURCE = 'array';
const COMPLETE = { isComplete: true };
const ALIVE: Rule = { waits: [0], dies: null, isLastDone: false };

const rows = Array.from({ length: 400 }, (_, n) =>
  tradeRow({
    wallet: `0xw${(n * n) % 61}`,
    marketId: `0xm${n % 7}`,
    asset: `${n % 7}`,
    usdc: 100 + 40 * (n % 40),
    transaction: `0xt${n}`,
    at: START + n * 17 * MINUTE_MS,
  }),
);

function stateAfter(count: number): readonly string[] {
  const detector = new Detector(DEFAULT_RULES, COMPLETE);
  for (const row of rows.slice(0, count)) detector.judge(row);
  return [...detector.snapshot()];
}

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

async function restored(detector: Detector): Promise<{ stored: StoredParts; offset: number }> {
  const snapshot = await database.ingest.readSnapshot(SOURCE);
  const stored = await StoredParts.restore(database.ingest, snapshot?.sets ?? [], detector);
  return { stored, offset: (snapshot?.checkpoint as Checkpoint | undefined)?.offset ?? 0 };
}

function writerOf(
  detector: Detector,
  lease: Lease,
  { stored, store = database.ingest, metrics = noMetrics }: { stored: StoredParts } & Partial<IngestDeps>,
) {
  return new SnapshotWriter(
    { store, metrics, clock: quickClock(() => START), snapshotEveryMs: 0, sourceName: SOURCE },
    {
      ...{ lease, stored, source: arraySource(rows, null), state: detector },
      version: stateVersionOf(DEFAULT_RULES),
      time: () => detector.time,
      flush: async () => {},
    },
  );
}

interface Life {
  readonly rule?: Rule;
  readonly every?: number;
  readonly until?: number;
  readonly lengths?: number[];
}

/** One process: it continues from its snapshot and writes one every `every` rows, until it is killed or at the end. */
async function live({ rule = ALIVE, every = 10, until = rows.length, lengths = [] }: Life): Promise<void> {
  const detector = new Detector(DEFAULT_RULES, COMPLETE);
  const lease = await takeLease(database, 'one', START);
  const { stored, offset } = await restored(detector);
  const store = createUnrulyProcess(rule).wrap(database.ingest);
  const metrics = {
    ...noMetrics,
    snapshotWritten: (_ms: number, length: number) => void lengths.push(length),
  };
  const writer = writerOf(detector, lease, { stored, store, metrics });
  for (let at = offset; at < until; at += every) {
    const end = Math.min(at + every, until);
    for (const row of rows.slice(at, end)) detector.judge(row);
    if ((await unlessKilled(writer.after(end).then(() => 'lives'))) === null) return;
  }
}

const keptChunks = async () => {
  const sets = (await database.ingest.readSnapshot(SOURCE))?.sets ?? [];
  return sets.reduce((sum, { count }) => sum + count, 0);
};

describe('snapshots of what changed', () => {
  test('killed between any two calls of the store, what is stored is the state at its offset, byte for byte', async () => {
    const anyDeath = fc.record({
      dies: fc.nat(60),
      isLastDone: fc.boolean(),
      every: fc.integer({ min: 1, max: 90 }),
    });
    await fc.assert(
      fc
        .asyncProperty(fc.array(anyDeath, { minLength: 1, maxLength: 6 }), async (deaths) => {
          for (const { every, ...death } of deaths) {
            await live({ rule: { waits: [0], ...death }, every });
            const detector = new Detector(DEFAULT_RULES, COMPLETE);
            const { offset } = await restored(detector);
            if (offset > 0) expect([...detector.snapshot()]).toEqual(stateAfter(offset));
          }
          await live({});
          const last = new Detector(DEFAULT_RULES, COMPLETE);
          expect((await restored(last)).offset).toBe(rows.length);
          expect([...last.snapshot()]).toEqual(stateAfter(rows.length));
        })
        .afterEach(async () => {
          await database.close();
          database = await openDatabase('sqlite::memory:');
        }),
      { numRuns: 25 },
    );
  });

  test('are a small part of the whole, which is written again when they have grown to half of it', async () => {
    const lengths: number[] = [];
    await live({ until: 300 });
    const whole = stateAfter(300).reduce((sum, { length }) => sum + length, 0);
    await live({ every: 1, lengths });

    const sorted = lengths.toSorted((a, b) => a - b);
    expect(sorted[50]).toBeLessThan(whole / 10);
    const kept = (await readWhole(database.ingest, SOURCE))?.chunks ?? [];
    expect(kept.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2 * whole);
  });

  test('leave nothing behind: no chunk is kept that the snapshot does not name, also after a kill', async () => {
    for (const dies of [3, 7, 11]) await live({ rule: { waits: [0], dies, isLastDone: true } });
    await live({});
    const lease = await takeLease(database, 'two', START);
    expect(await keptChunks()).toBeGreaterThan(7);
    expect(await database.ingest.dropChunks(lease, SOURCE, 100)).toBe(0);
  });

  test('are refused to a process that has lost the lease, which leaves the stored one as it is', async () => {
    await live({ until: 200 });
    const before = await readWhole(database.ingest, SOURCE);
    const detector = new Detector(DEFAULT_RULES, COMPLETE);
    const { stored } = await restored(detector);
    const late = writerOf(detector, { epoch: 0 }, { stored });
    for (const row of rows.slice(200)) detector.judge(row);

    await expect(late.after(rows.length)).rejects.toThrow(LeaseLost);
    expect(await readWhole(database.ingest, SOURCE)).toEqual(before);
  });

  test('a snapshot of which chunks are missing is not taken for a state', async () => {
    await live({ until: 100 });
    const { ingest } = database;
    const readChunks: typeof ingest.readChunks = async (set, range) =>
      (await ingest.readChunks(set, range)).slice(1);
    const sets = (await ingest.readSnapshot(SOURCE))?.sets ?? [];
    const detector = new Detector(DEFAULT_RULES, COMPLETE);
    await expect(StoredParts.restore({ readChunks }, sets, detector)).rejects.toThrow(
      'Chunks of the snapshot are missing',
    );
  });
});
