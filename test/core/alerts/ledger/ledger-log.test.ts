import { expect, test } from 'vitest';
import type { LogStore } from '../../../../src/core/alerts/log/log-store.ts';
import { LedgerConflict } from '../../../../src/core/alerts/log/log-writer.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { alertOf, candidateOf } from '../../../support/alerts.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';
import { storeAlerts } from '../../../support/stored.ts';
import { wholeLog } from '../../../support/whole-log.ts';
import { withMethods } from '../../../support/with-methods.ts';

const at = (detectedAt: number) => ({ tradedAt: detectedAt, detectedAt, isHistory: false });
const settled = (payouts: readonly number[], id = '0xm1') => ({ id, outcomes: ['Yes', 'No'], payouts });
const away = () => Promise.reject(new Error('away'));

onEachDatabase('what the ledger enters in the log', (one) => {
  const alerts = () => one.database.alerts.after(0, 100);
  const entries = () => wholeLog(one.database);
  const kinds = async () => (await entries()).map(({ kind }) => kind);

  async function openLedger(log: Partial<LogStore> = {}) {
    const ledger = ledgerOver({ ...one.database, log: withMethods(one.database.log, log) });
    await ledger.open(1);
    return ledger;
  }

  test('an alert is its entry, which is found by its key and has its time', async () => {
    const ledger = await openLedger();
    const [told] = await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START + 5) }]);

    const [entry] = await entries();
    expect(await alerts()).toEqual([told]);
    expect(told?.log).toEqual({ seq: 1, hash: entry?.hash });
    expect(entry).toMatchObject({ kind: 'alert', key: 'a', at: START + 5, body: { id: 1 } });
  });

  test('the first settlement of a market is a settlement, another one a correction, the same again or an earlier one nothing', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    for (const [after, ...payouts] of [
      [0, 1, 0],
      [1, 1, 0],
      [2, 0, 1],
      [3, 0, 1],
      [1, 1, 0],
      [4, 1, 0],
    ] as const)
      await ledger.resolve(settled(payouts), START + after);

    const [, outcome, correction, ...others] = await entries();
    expect(outcome).toMatchObject({ kind: 'settlement', key: 'settlement:0xm1:0', at: START });
    const known = { market_id: '0xm1', outcomes: ['Yes', 'No'], settled_at: new Date(START).toISOString() };
    expect(outcome?.body).toEqual({ ...known, payouts: [1, 0] });
    expect(correction).toMatchObject({
      kind: 'correction',
      key: `settlement:0xm1:${outcome?.seq}`,
      at: START + 2,
    });
    expect(correction?.body).toMatchObject({ payouts: [0, 1] });
    expect(others).toMatchObject([{ kind: 'correction', at: START + 4, body: { payouts: [1, 0] } }]);
  });

  test('rows that are read again after a correction do not put the first outcome back', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    await ledger.resolve(settled([1, 0]), START + 1);
    await ledger.resolve(settled([0, 1]), START + 2);
    const again = await openLedger();
    await again.resolve(settled([1, 0]), START + 1);
    await again.resolve(settled([0, 1]), START + 2);

    expect(await kinds()).toEqual(['alert', 'settlement', 'correction']);
    expect((await alerts())[0]?.resolution?.won).toBe(false);
  });

  test('a group of which a part was written is completed without a gap when it is judged again', async () => {
    const group = [0, 1, 2, 3].map((n) => ({ candidate: candidateOf({ key: `${n}` }), ...at(START) }));
    const { log } = one.database;
    const dying = await openLedger({ append: (added) => log.append(added.slice(0, 2)).then(away) });
    await expect(dying.append(group)).rejects.toThrow('away');

    await (await openLedger()).append(group);

    const found = (await entries()).map(({ key, seq }) => [key, seq]);
    expect(found).toEqual([0, 1, 2, 3].map((n) => [`${n}`, n + 1]));
    expect((await alerts()).map(({ id, key, log: { seq } }) => [id, key, seq])).toEqual(
      [0, 1, 2, 3].map((n) => [n + 1, `${n}`, n + 1]),
    );
  });

  test('an alert that another process wrote under the same id is a conflict, and leaves no entry', async () => {
    const ledger = await openLedger();
    await storeAlerts(one.database, alertOf({ id: 1, key: 'theirs' }));

    const finding = { candidate: candidateOf({ key: 'mine' }), ...at(START) };
    await expect(ledger.append([finding])).rejects.toThrow(LedgerConflict);
    expect((await alerts()).map(({ key }) => key)).toEqual(['theirs']);
    expect(await kinds()).toEqual(['alert']);
  });
});
