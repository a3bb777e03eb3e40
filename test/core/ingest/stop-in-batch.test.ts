import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { type Database, openFeatures } from '../../../src/core/database.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Checkpoint } from '../../../src/core/trades/source/source.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { onEachDatabase, onSqlite } from '../../infra/database/each-database.ts';
import { arraySource } from '../../support/array-source.ts';
import { eachCall } from '../../support/each-call.ts';
import { ledgerParts } from '../../support/ledger.ts';
import { closeRow, marketRow, START, tradeRow } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { pricesIn } from '../../support/stored-prices.ts';
import { wholeLog } from '../../support/whole-log.ts';
import { storedState } from '../../support/whole-snapshot.ts';
import { ingestOver, turningClock } from './rebuild-fixture.ts';

/** Three orders of one second, which a single row closes, then three of a minute each. */
const rows: readonly Row[] = [
  ...[0, 0, 0, 1, 2, 3].map((minute, n) =>
    tradeRow({ wallet: `0xw${n}`, marketId: `0xm${n % 2}`, usdc: 4_000, at: START + minute * MINUTE_MS }),
  ),
  marketRow({ id: '0xm1', payouts: [1, 0], at: START + 4 * MINUTE_MS }),
  ...[5, 5].map((minute, n) =>
    tradeRow({ wallet: `0xv${n}`, marketId: '0xm0', usdc: 4_000, at: START + minute * MINUTE_MS }),
  ),
];

type Call = () => Promise<unknown>;
/** Makes a call of the database, the first of which has the number 0. */
type Caller = (call: Call, number: number, stop: AbortController) => Promise<unknown>;

/** All rows are one batch. The run ends with the source. `failed`: hears of what the run begins again after. */
async function run(
  database: Database,
  make: Caller = (call) => call(),
  failed: (stop: AbortController) => void = () => {},
): Promise<{ readonly calls: number }> {
  const stop = new AbortController();
  let calls = 0;
  const features = openFeatures((...declared) =>
    eachCall(database.documents(...declared), (call) => make(call, calls++, stop)),
  );
  const ended = (_fields: object, message: string) => {
    if (message === 'the source has ended') stop.abort();
  };
  const ingest = ingestOver(database, {
    openSource: async (checkpoint) => arraySource(rows, checkpoint, rows.length),
    ...ledgerParts(features, { groups: { most: 1, slowMs: 25 } }),
    prices: features.prices,
    clock: turningClock,
    logger: { ...silentLogger, info: ended, error: () => failed(stop) },
    snapshotEveryMs: Number.POSITIVE_INFINITY,
  });
  await ingest.run(stop.signal);
  return { calls };
}

async function offsetOf(database: Database): Promise<number> {
  return ((await database.ingest.readSnapshot('array'))?.checkpoint as Checkpoint | undefined)?.offset ?? 0;
}

function stateAfter(count: number): readonly string[] {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  for (const row of rows.slice(0, count)) detector.judge(row);
  if (count === rows.length) detector.judge(closeRow());
  return [...detector.snapshot()];
}

/** What is stored, without the turns at the lease in which it was, and the hashes in which these stand. */
async function leftBy(database: Database) {
  const found = await database.alerts.after(0, 100);
  const entries = await wholeLog(database);
  return {
    alerts: found.map(({ log: { seq }, ...alert }) => ({ ...alert, seq })),
    entries: entries.map(({ epoch, hash, previous, ...entry }) => entry),
    ...(await pricesIn(database)),
  };
}

onSqlite('a stop in the middle of a batch', ({ fresh }) => {
  test('stores the state of the rows before it under their offset or not at all, and the next run leaves what an undisturbed one does', async () => {
    const undisturbed = await fresh();
    const { calls } = await run(undisturbed);
    const expected = await leftBy(undisturbed);
    expect(expected.alerts.length).toBe(10);

    const offsets = new Set<number>();
    for (let stopAt = 0; stopAt < calls; stopAt += 1) {
      const stopped = await fresh();
      await run(stopped, (call, number, stop) => {
        if (number === stopAt) stop.abort();
        return call();
      });
      const offset = await offsetOf(stopped);
      offsets.add(offset);
      expect(await storedState(stopped.ingest, 'array'), `stopped at call ${stopAt}`).toEqual(
        offset === 0 ? null : stateAfter(offset),
      );

      await run(stopped);
      expect(await leftBy(stopped), `stopped at call ${stopAt}`).toEqual(expected);
    }
    expect(offsets.size).toBeGreaterThan(4);
  });
});

/** Every call on SQLite; on MongoDB, where each takes a database, one of some, others each day. `CRASH_SEED=all` takes every one. */
function wakings(kind: Database['kind'], calls: number): readonly number[] {
  const every = kind === 'mongodb' && process.env['CRASH_SEED'] !== 'all' ? Math.ceil(calls / 6) : 1;
  const first = new Date().getDate() % every;
  return Array.from({ length: calls }, (_, number) => number).filter((number) => number % every === first);
}

onEachDatabase(
  'a writer that slept at any call, before or after its effect, while another took its turn',
  ({ fresh }) => {
    test('wakes up and stands down: no event is lost, doubled or reordered', {
      timeout: 120_000,
    }, async () => {
      const undisturbed = await fresh();
      const { calls } = await run(undisturbed);
      const expected = await leftBy(undisturbed);
      const state = await storedState(undisturbed.ingest, 'array');

      for (const sleepAt of wakings(undisturbed.kind, calls)) {
        for (const isEffectFirst of [false, true]) {
          const shared = await fresh();
          // While one call is held, the process makes no other.
          let asleep: Promise<unknown> | null = null;
          const sleep = () => {
            asleep = run(shared);
            return asleep;
          };
          const sleeping: Caller = async (call, number) => {
            if (number !== sleepAt) return asleep === null ? call() : asleep.then(call);
            if (!isEffectFirst) await sleep();
            const result = await call();
            if (isEffectFirst) await sleep();
            return result;
          };
          await run(shared, sleeping, (stop) => stop.abort());

          const when = `asleep ${isEffectFirst ? 'after' : 'before'} call ${sleepAt}`;
          expect(await leftBy(shared), when).toEqual(expected);
          expect(await storedState(shared.ingest, 'array'), when).toEqual(state);
          const epochs = (await wholeLog(shared)).map(({ epoch }) => epoch);
          expect(epochs, when).toEqual(epochs.toSorted((one, other) => one - other));
        }
      }
    });
  },
);
