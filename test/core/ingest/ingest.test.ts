import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { LogStore } from '../../../src/core/alerts/log/log-store.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { UserError } from '../../../src/core/base/user-error.ts';
import type { Database } from '../../../src/core/database.ts';
import type { IngestDeps } from '../../../src/core/ingest/ingest-deps.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { arraySource } from '../../support/array-source.ts';
import { marketRow, START, tradeRow } from '../../support/rows.ts';
import { withMethods } from '../../support/with-methods.ts';
import { ingestOver, turningClock } from './rebuild-fixture.ts';

const rows: readonly Row[] = [
  ...Array.from({ length: 40 }, (_, n) =>
    tradeRow({
      wallet: `0xw${n % 13}`,
      marketId: `0xm${n % 3}`,
      asset: `${n % 3}`,
      usdc: 900 + 150 * (n % 5),
      at: START + n * 7 * MINUTE_MS,
    }),
  ),
  marketRow({ id: '0xm1', payouts: [1, 0], at: START + 300 * MINUTE_MS }),
  marketRow({ id: '0xm2', payouts: [0, 1], at: START + 301 * MINUTE_MS }),
];

/** Fails the nth write, before or after it took effect, as a database does that goes away. */
function failing(log: LogStore, failures: ReadonlySet<number>, isAfter: boolean): LogStore {
  let writes = 0;
  const append: LogStore['append'] = async (entries) => {
    writes += 1;
    if (failures.has(writes) && !isAfter) throw new Error('away');
    const outcome = await log.append(entries);
    if (failures.has(writes)) throw new Error('away');
    return outcome;
  };
  return withMethods(log, { append });
}

function ingestOf(database: Database, given: Partial<IngestDeps> & { log?: LogStore } = {}) {
  const { log = database.log, ...overrides } = given;
  return ingestOver(
    { ...database, log },
    {
      openSource: async (checkpoint) => arraySource(rows, checkpoint),
      clock: turningClock,
      ...overrides,
    },
  );
}

const runToEnd = (database: Database, given?: Parameters<typeof ingestOf>[1]) =>
  finish(database, ingestOf(database, given));

/** The alerts, without the hashes of their entries, in which the turns at the lease stand. */
async function finish(database: Database, ingest: ReturnType<typeof ingestOf>) {
  const stop = new AbortController();
  const running = ingest.run(stop.signal);
  await vi.waitFor(async () => {
    const snapshot = await database.ingest.readSnapshot('array');
    expect(snapshot?.checkpoint).toMatchObject({ offset: rows.length });
  });
  stop.abort();
  await running;
  const alerts = await database.alerts.after(0, 1_000);
  return alerts.map(({ log: { seq }, ...alert }) => ({ ...alert, seq }));
}

onSqlite('ingest', (one) => {
  test('it says that the source has ended only after the last snapshot', async () => {
    const { ingest: store } = one.database;
    const before: boolean[] = [];
    const writeSnapshot: typeof store.writeSnapshot = (...written) => {
      before.push(ingest.status().hasEnded);
      return store.writeSnapshot(...written);
    };
    const given = { snapshotEveryMs: Number.POSITIVE_INFINITY, store: withMethods(store, { writeSnapshot }) };
    const ingest = ingestOf(one.database, given);
    const stop = new AbortController();
    const running = ingest.run(stop.signal);
    await vi.waitFor(() => expect(ingest.status().hasEnded).toBe(true));
    expect(before).toEqual([false, false]);
    stop.abort();
    await running;
  });

  test('writes that fail before or after they took effect leave the ledger of an undisturbed run', async () => {
    const undisturbed = await runToEnd(one.database);
    const failures = fc.uniqueArray(fc.integer({ min: 1, max: undisturbed.length * 2 }), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        failures,
        fc.boolean(),
        fc.constantFrom(0, 1e9),
        async (given, isAfter, snapshotEveryMs) => {
          const database = await one.fresh();
          const log = failing(database.log, new Set(given), isAfter);
          expect(await runToEnd(database, { log, snapshotEveryMs })).toEqual(undisturbed);
        },
      ),
      { numRuns: 8 },
    );
  });

  test.each([
    ['paused', 'isPaused'],
    ['clock_set', 'isClockHeld'],
  ] as const)(
    '%s anywhere it takes no further batch, and resumed it leaves the ledger of an undisturbed run',
    async (state, flag) => {
      const undisturbed = await runToEnd(one.database);
      const batches = Math.ceil(rows.length / 3);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: batches }), async (pausedAt) => {
          const database = await one.fresh();
          let taken = 0;
          let isPaused = false;
          const openSource: IngestDeps['openSource'] = async (checkpoint) => {
            const source = arraySource(rows, checkpoint);
            return { ...source, batches: (signal) => counted(source.batches(signal)) };
          };
          async function* counted<Batch>(given: AsyncIterable<Batch>) {
            for await (const batch of given) {
              taken += 1;
              isPaused = taken === pausedAt;
              yield batch;
            }
          }
          let waits = 0;
          const sleep: typeof turningClock.sleep = (ms, signal) => {
            // After some waits in the pause it is over.
            if (isPaused && ms < 1_000 && ++waits === 5) {
              expect(ingest.status().state).toBe(state);
              expect(taken).toBe(pausedAt);
              isPaused = false;
            }
            return turningClock.sleep(ms, signal);
          };
          const given = { openSource, [flag]: () => isPaused, clock: { ...turningClock, sleep } };
          const ingest = ingestOf(database, given);
          expect(await finish(database, ingest)).toEqual(undisturbed);
          expect(waits).toBe(5);
        }),
        { numRuns: 2 },
      );
    },
  );

  test('what only the operator can mend ends the run with its own words', async () => {
    const openSource = () => Promise.reject(new UserError('no such tape'));
    await expect(ingestOf(one.database, { openSource }).run(new AbortController().signal)).rejects.toThrow(
      'no such tape',
    );
  });
});
