import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../src/core/database.ts';
import { crashPointsOfKinds, kindsOfCalls } from '../../../support/crash-points.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { eachCall } from '../../../support/each-call.ts';
import { ledgerParts } from '../../../support/ledger.ts';
import { KINDS, LogScript } from '../../../support/log-script.ts';
import { logLines, wholeLog } from '../../../support/whole-log.ts';

/** The database with the calls of the ledger's and the log's stores passed through `wrap`. */
function storesOf(database: Database, wrap: <Store extends object>(store: Store) => Store) {
  const { alerts, settlements, log, coverage, statements } = database;
  return {
    alerts: wrap(alerts),
    settlements: wrap(settlements),
    log: wrap(log),
    coverage: wrap(coverage),
    statements: wrap(statements),
  };
}

/** Calls `before` with the number of each call, from 0; the call is made once that resolves, and then `after` is called. */
function intercepting(before: (n: number) => Promise<void> | void, after: (n: number) => void = () => {}) {
  const names: string[] = [];
  let stores = 0;
  const wrap = <Store extends object>(store: Store): Store => {
    const label = stores++;
    return eachCall(store, async (call, name) => {
      const number = names.push(`${label}.${name}`) - 1;
      await before(number);
      const answer = await call();
      after(number);
      return answer;
    });
  };
  return { wrap, names };
}

/** The position of every row is that of its entry, and of no other. */
async function expectRowsInLog(database: Database): Promise<void> {
  const entries = await wholeLog(database);
  const headOf = (subject: string) => {
    const entry = entries.findLast((found) => found.subject === subject);
    return entry && { sequence: entry.sequence, hash: entry.hash };
  };
  for (const alert of await database.alerts.after(0, 1_000))
    expect(alert.log, `alert ${alert.id}`).toEqual(headOf(`alert:${alert.id}`));
  for (const { marketId, log } of await database.settlements.after(0, 1_000))
    expect(log, marketId).toMatchObject(headOf(`market:${marketId}`) ?? {});
}

describe.each(DATABASES)('the log on $name', ({ available, open }) => {
  describe.skipIf(!available)('with a database', { timeout: 240_000 }, () => {
    const opened: TestDatabase[] = [];
    let undisturbed: readonly string[];
    /** Of the calls of an undisturbed run. */
    let kinds: readonly string[];
    let kind: Database['kind'];

    async function fresh(): Promise<Database> {
      const one = await open();
      opened.push(one);
      return one.database;
    }

    beforeAll(async () => {
      const { database, drop } = await open();
      const { wrap, names } = intercepting(() => {});
      await new LogScript(database).play(storesOf(database, wrap));
      undisturbed = await logLines(database);
      kinds = kindsOfCalls(names);
      kind = database.kind;
      await drop();
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.drop();
    });

    /** A process that is killed before a call leaves the same as one that is killed after the call before it. */
    async function eachOnItsOwn(
      points: { readonly kinds: readonly string[]; readonly sampled: number },
      check: (database: Database, n: number) => Promise<void>,
    ): Promise<void> {
      for (const n of crashPointsOfKinds(kind, points)) {
        await check(await fresh(), n);
        await opened.pop()?.drop();
      }
    }

    test('a fault at any call of a store, before or after it was made, leaves the same log once all is opened again', async () => {
      // Unlike a killed process, this one continues: whether the call was made matters to it.
      const beforeAndAfter = kinds.flatMap((kind) => [`before ${kind}`, `after ${kind}`]);
      await eachOnItsOwn({ kinds: beforeAndAfter, sampled: 8 }, async (database, n) => {
        const isDone = n % 2 === 1;
        const failAt = (call: number) => {
          if (call === n) throw new Error('away');
        };
        const { wrap } = intercepting(
          (number) => failAt(2 * number),
          (number) => failAt(2 * number + 1),
        );
        const script = new LogScript(database);
        const stores = storesOf(database, wrap);
        const parts = ledgerParts(stores);
        await expect(script.play(stores, parts)).rejects.toThrow('away');
        await script.play(stores, parts);

        expect(await logLines(database), `fault at call ${Math.floor(n / 2)}, done: ${isDone}`).toEqual(
          undisturbed,
        );
        await expectRowsInLog(database);
      });
    });

    test('a process that rests at any call while another takes over forks nothing and enters nothing twice', async () => {
      await eachOnItsOwn({ kinds, sampled: 5 }, async (database, n) => {
        const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
        const { promise: resting, resolve: rest } = Promise.withResolvers<void>();
        const { wrap } = intercepting((number) => {
          if (number !== n) return;
          rest();
          return resumed;
        });
        const script = new LogScript(database);
        const first = script.play(storesOf(database, wrap)).catch(() => {});
        await resting;
        await script.play(database);
        resume();
        await first;
        await script.play(database);

        const kinds = (await wholeLog(database)).map(({ kind }) => kind);
        expect(kinds.toSorted(), `rested at call ${n}`).toEqual(KINDS.toSorted());
        await expectRowsInLog(database);
      });
    });
  });
});
