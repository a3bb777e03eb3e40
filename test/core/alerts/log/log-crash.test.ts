import { expect, test } from 'vitest';
import type { Database } from '../../../../src/core/database.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { crashPointsOfKinds, kindsOfCalls } from '../../../support/crash-points.ts';
import { eachCall } from '../../../support/each-call.ts';
import { KINDS, LogScript } from '../../../support/log-script.ts';
import { wholeLog } from '../../../support/whole-log.ts';

/** The stores of the ledger and the log; `before` is called with the number of each call, from 0, and is waited for. */
function intercepted(database: Database, before: (n: number) => Promise<void> | void) {
  const names: string[] = [];
  const wrap = <Store extends object>(store: Store, label: string): Store =>
    eachCall(store, async (call, name) => {
      await before(names.push(`${label}.${name}`) - 1);
      return call();
    });
  const { alerts, settlements, log, coverage, statements } = database;
  const stores = {
    alerts: wrap(alerts, 'alerts'),
    settlements: wrap(settlements, 'settlements'),
    log: wrap(log, 'log'),
    coverage: wrap(coverage, 'coverage'),
    statements: wrap(statements, 'statements'),
  };
  return { stores, names };
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

onEachDatabase('the log', (fixture) => {
  test('a process that rests at any call while another takes over forks nothing and enters nothing twice', async () => {
    const undisturbed = intercepted(fixture.database, () => {});
    await new LogScript(fixture.database).play(undisturbed.stores);
    expect((await wholeLog(fixture.database)).map(({ kind }) => kind)).toEqual(KINDS);

    const points = { kinds: kindsOfCalls(undisturbed.names), sampled: 5 };
    for (const n of crashPointsOfKinds(fixture.database.kind, points)) {
      const database = await fixture.fresh();
      const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
      const { promise: resting, resolve: rest } = Promise.withResolvers<void>();
      const { stores } = intercepted(database, (number) => {
        if (number !== n) return;
        rest();
        return resumed;
      });
      const script = new LogScript(database);
      const first = script.play(stores).catch(() => {});
      await resting;
      await script.play(database);
      resume();
      await first;
      await script.play(database);

      const kinds = (await wholeLog(database)).map(({ kind }) => kind);
      expect(kinds.toSorted(), `rested at call ${n}`).toEqual(KINDS.toSorted());
      await expectRowsInLog(database);
    }
  }, 240_000);
});
