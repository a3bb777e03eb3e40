import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { stateVersionOf } from '../../../src/core/detection/state-chunks.ts';
import type { Snapshots } from '../../../src/core/ingest/snapshots.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { noMetrics } from '../../support/no-metrics.ts';
import { marketRow, START, tradeRow } from '../../support/rows.ts';
import { settleMarket } from '../../support/stored.ts';
import { wholeLog } from '../../support/whole-log.ts';
import { storedState } from '../../support/whole-snapshot.ts';
import { withMethods } from '../../support/with-methods.ts';
import {
  at,
  findings,
  foundAfter,
  keysOf,
  type Life,
  LOOSER,
  ledgerOf,
  live,
  rereadable,
  rows,
} from './rebuild-fixture.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());
/** Why the rules were entered: after the first time, why the positions of earlier alerts are not followed any more. */
const reasons = async () =>
  (await wholeLog(database)).filter(({ kind }) => kind === 'rules').map(({ body }) => body['reason']);
const run = (life: Omit<Life, 'rows'>) => live(database, { rows, ...life });

describe('a snapshot that was made by other rules', () => {
  test('made by the same rules it is continued, and nothing is read again', async () => {
    const asked: boolean[] = [];
    const openSource: typeof open = async (checkpoint, isRebuild) => {
      asked.push(isRebuild);
      return open(checkpoint, isRebuild);
    };
    const open = rereadable(rows);
    await run({ until: 10, given: { openSource } });
    await run({ rules: structuredClone(DEFAULT_RULES), given: { openSource } });

    expect(asked).toEqual([false, false]);
    expect(await reasons()).toEqual(['start']);
    expect(await ledgerOf(database)).toEqual(foundAfter(0));
  });
});

describe('while the state is rebuilt', () => {
  test('the first snapshot comes as soon as it is over, however long they are apart', async () => {
    await run({ until: 14 });
    const written: unknown[] = [];
    const writeSnapshot: Snapshots['writeSnapshot'] = (lease, given) => {
      written.push(given.checkpoint);
      return database.ingest.writeSnapshot(lease, given);
    };
    const store = withMethods(database.ingest, { writeSnapshot });
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
    const { log } = await settleMarket(database, { outcomes: [], payouts: [0, 1] });
    let trades = 0;
    const metrics = {
      ...noMetrics,
      tradesJudged: (count: number) => {
        trades += count;
      },
    };
    await live(database, { rows: tape, rules: LOOSER, given: { metrics } });

    expect(await database.settlements.last()).toBe(log.seq);
    expect(trades).toBe(1);
  });
});

test('another tape under the same name is a new history: all of it is published', async () => {
  await run({ until: 10 });
  const open = rereadable(rows);
  const openSource: typeof open = async () => {
    const source = await open(null, false);
    return { ...source, checkpoint: (offset) => ({ ...source.checkpoint(offset), identity: 'another' }) };
  };
  const before = (await ledgerOf(database)).length;
  await run({ rules: LOOSER, given: { openSource } });

  const others = foundAfter(0, LOOSER).filter((key) => !foundAfter(0).slice(0, before).includes(key));
  expect((await ledgerOf(database)).slice(before)).toEqual(others);
  expect(await reasons()).toEqual(['start', 'rows']);
});

const fill = fc.record({
  wallet: fc.nat(4),
  outcome: fc.nat(2),
  usdc: fc.integer({ min: 100, max: 3_000 }),
  gap: fc.constantFrom(0, 0, 1, 40),
});

test('under any rules before, cut and killed anywhere: nothing twice, nothing lost, and the state of an undisturbed run', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fill, { minLength: 8, maxLength: 30 }),
      fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      async (fills, cuts, batchSize) => {
        let second = 0;
        const tape = fills.map(({ wallet, outcome, usdc, gap }) => {
          second += gap;
          const marketId = `0xm${outcome}`;
          return tradeRow({
            wallet: `0xw${wallet}`,
            marketId,
            asset: `${outcome}`,
            usdc,
            at: START + second * SECOND_MS,
          });
        });
        const [midRebuild = 0, lastSnapshot = 0, killed = 0] = cuts
          .map((cut) => Math.min(cut, tape.length - 1))
          .toSorted((a, b) => a - b);
        const one = await openDatabase('sqlite::memory:');
        const undisturbed = await openDatabase('sqlite::memory:');
        await live(one, { rows: tape, until: killed + 1, lastSnapshot: lastSnapshot + 1 });
        const published = await ledgerOf(one);
        const before = await one.ingest.readSnapshot('array');
        await live(one, { rows: tape, rules: LOOSER, until: midRebuild });
        expect([await ledgerOf(one), await one.ingest.readSnapshot('array')]).toEqual([published, before]);
        await live(one, { rows: tape, rules: LOOSER, batchSize });
        await live(undisturbed, { rows: tape, rules: LOOSER });

        const wanted = findings(tape, LOOSER).filter(({ offset }) => offset > lastSnapshot + 1);
        const others = keysOf(wanted.map(({ candidate }) => candidate)).filter(
          (key) => !published.includes(key),
        );
        expect(await ledgerOf(one)).toEqual([...published, ...others]);
        const states = await Promise.all(
          [one, undisturbed].map(({ ingest }) => storedState(ingest, 'array', LOOSER)),
        );
        expect(states[0]).not.toBeNull();
        expect(states[0]).toEqual(states[1]);
        await Promise.all([one.close(), undisturbed.close()]);
      },
    ),
    { numRuns: 15 },
  );
});
