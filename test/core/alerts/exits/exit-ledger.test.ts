import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitBody } from '../../../../src/core/alerts/exits/exit.ts';
import type { DatedExit } from '../../../../src/core/alerts/exits/exit-ledger.ts';
import { LedgerConflict } from '../../../../src/core/alerts/log/log-writer.ts';
import type { Database } from '../../../../src/core/database.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { candidateOf, exitOf } from '../../../support/alerts.ts';
import { ledgerParts } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';
import { storeExits } from '../../../support/stored.ts';
import { wholeLog } from '../../../support/whole-log.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

const at = (seconds: number) => START + 1_000 * seconds;

/** A ledger with the alerts of three seconds in one thread. */
async function opened() {
  const parts = ledgerParts(database);
  await parts.ledger.open(1);
  await parts.exits.open();
  const findings = [1, 2, 6].map((second) => {
    const moment = { tradedAt: at(second), detectedAt: at(second), isHistory: false };
    return { candidate: candidateOf({ key: `a${second}`, marketId: '0xm1' }), ...moment };
  });
  await parts.ledger.append(findings);
  return { ...parts, written: () => database.exits.after(0, 10) };
}

function dated(key: string, second: number, given: Partial<DatedExit['exit']> = {}): DatedExit {
  const exit = { ...exitOf({ number: 1 }), isCluster: false, key, ...given };
  const moment = { tradedAt: at(second), detectedAt: at(second + 2), isHistory: false };
  return { exit, alertedAt: at(1), ...moment };
}

test('exits are numbered without a gap, with the alerts of their thread up to then, and each is an entry of the log', async () => {
  const { exits, written } = await opened();
  await exits.append([dated('x', 5), dated('y', 12)]);

  expect((await written()).map(({ number, threadId, alertIds }) => [number, threadId, alertIds])).toEqual([
    [1, 1, [1, 2]],
    [2, 1, [1, 2, 3]],
  ]);
  const entries = (await wholeLog(database)).filter(({ kind }) => kind === 'exit');
  expect(entries.map(({ key, body, at: time }) => [key, body, time])).toEqual(
    (await written()).map((exit) => [exit.key, { ...exitBody(exit), is_history: false }, exit.createdAt]),
  );
  expect(entries.map(({ seq, hash }) => ({ seq, hash }))).toEqual((await written()).map(({ log }) => log));
});

test('one that is there is not written again', async () => {
  const { exits, written } = await opened();
  await exits.append([dated('x', 5)]);
  await exits.append([dated('x', 6), dated('y', 7)]);
  expect((await written()).map(({ number, key, tradedAt }) => [number, key, tradedAt])).toEqual([
    [1, 'x', at(5)],
    [2, 'y', at(7)],
  ]);
});

test('one without a published alert is left out, as are those of threads that changed rules would have made', async () => {
  const { exits, written } = await opened();
  await exits.append([dated('x', 5, { marketId: '0xother' }), dated('z', 5)]);
  expect((await written()).map(({ number, key }) => [number, key])).toEqual([[1, 'z']]);
});

test('one by a late sale from before the alert has that alert', async () => {
  const { exits, written } = await opened();
  await exits.append([dated('x', 0)]);
  expect((await written()).map(({ alertIds, tradedAt }) => [alertIds, tradedAt])).toEqual([[[1], at(0)]]);
});

test('a number that another process has used stops the writer', async () => {
  const { exits } = await opened();
  await storeExits(database, exitOf({ number: 1, key: 'theirs' }));
  await expect(exits.append([dated('x', 5)])).rejects.toThrow(LedgerConflict);
  expect(await database.exits.after(0, 10)).toHaveLength(1);
});
