import { beforeEach, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { LogStore } from '../../../../src/core/alerts/log/log-store.ts';
import { LedgerConflict } from '../../../../src/core/alerts/log/log-writer.ts';
import type { MarketSettlement } from '../../../../src/core/alerts/settlement.ts';
import { enterWithdrawal } from '../../../../src/core/alerts/withdrawal.ts';
import { sha256 } from '../../../../src/infra/secrets/key-crypto.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { candidateOf } from '../../../support/alerts.ts';
import { ledgerOver } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';
import { withMethods } from '../../../support/with-methods.ts';

const at = (detectedAt: number) => ({ tradedAt: detectedAt, detectedAt, isHistory: false });

onEachDatabase('ledger', (fixture) => {
  const appended: Alert[] = [];
  const resolved: MarketSettlement[] = [];

  async function openLedger() {
    const ledger = ledgerOver(fixture.database, {
      onAppended: (alerts) => appended.push(...alerts),
      onSettled: (resolution) => resolved.push(resolution),
    });
    await ledger.open(1);
    return ledger;
  }

  beforeEach(() => {
    appended.length = 0;
    resolved.length = 0;
  });

  test('a candidate judged again is not written, published or numbered again', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    expect(
      await (await openLedger()).append([{ candidate: candidateOf({ key: 'a' }), ...at(START + 5) }]),
    ).toEqual([]);
    await ledger.append([{ candidate: candidateOf({ key: 'b' }), ...at(START) }]);
    expect(appended.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('findings of one group are numbered in order, each once, after those that the ledger has', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    const keys = ['b', 'a', 'c', 'b'];
    await ledger.append(keys.map((key, n) => ({ candidate: candidateOf({ key }), ...at(START + 9 - n) })));

    expect(
      appended.map(({ id, key, threadId, supersedes, createdAt }) => [
        id,
        key,
        threadId,
        supersedes,
        createdAt,
      ]),
    ).toEqual([
      [1, 'a', 1, null, START],
      [2, 'b', 1, 1, START + 9],
      [3, 'c', 1, 2, START + 9],
    ]);
    expect(await fixture.database.alerts.after(0, 10)).toStrictEqual(appended);
  });

  test('a settled market gives all its alerts their outcome, and those that come after', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a', outcome: 'Yes' }), ...at(START) }]);
    await ledger.append([
      { candidate: candidateOf({ key: 'b', outcome: 'No', outcomeIndex: 1 }), ...at(START) },
    ]);
    await ledger.append([{ candidate: candidateOf({ key: 'other', marketId: '0xm2' }), ...at(START) }]);
    await ledger.resolve({ id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] }, START);
    for (const key of ['late', 'later'])
      await ledger.append([{ candidate: candidateOf({ key, outcome: 'Yes' }), ...at(START) }]);
    const stored = await fixture.database.alerts.after(0, 10);
    expect(stored.map(({ resolution }) => resolution?.won ?? null)).toEqual([true, false, null, true, true]);
    expect(appended.map(({ resolution }) => resolution?.won ?? null)).toEqual([null, null, null, true, true]);
  });

  test('a writer that was paused while another took over does not put an outcome back', async () => {
    const paused = await openLedger();
    await paused.append([{ candidate: candidateOf({ key: 'a', outcome: 'Yes' }), ...at(START) }]);
    const holder = await openLedger();
    await holder.resolve({ id: '0xm1', outcomes: ['Yes', 'No'], payouts: [0, 1] }, START);
    const late = paused.resolve({ id: '0xm2', outcomes: ['Yes', 'No'], payouts: [1, 0] }, START);
    await expect(late).rejects.toThrow(LedgerConflict);
    expect((await fixture.database.alerts.byId(1))?.resolution?.won).toBe(false);
  });

  test('what is announced can be read in its process, also when another process withdraws an alert just before', async () => {
    const { database } = fixture;
    const { alerts, alertIndex } = database;
    const append: LogStore['append'] = async (entries) => {
      await enterWithdrawal({ log: database.log, sha256 }, { alertId: 1, at: START, reason: 'wrong wallet' });
      return database.log.append(entries);
    };
    const announced: Promise<Alert | null>[] = [];
    const log = withMethods(database.log, { append });
    const onAppended = () => void announced.push(alerts.last());
    const ledger = ledgerOver({ ...database, log }, { onAppended });
    await ledger.open(1);
    await alertIndex.follow();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    expect(await Promise.all(announced)).toMatchObject([{ id: 1, withdrawn: { reason: 'wrong wallet' } }]);
  });

  test('a settlement that another process has entered is known, however seldom the index is read', async () => {
    const ledger = await openLedger();
    await fixture.database.alertIndex.follow();
    const settled = { id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] };
    const another = ledgerOver(await fixture.another());
    await another.open(1);
    await another.resolve(settled, START);
    await ledger.resolve(settled, START);
    expect(resolved).toEqual([]);
  });

  test('the same payouts for outcomes in another order are a correction', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a', outcome: 'Yes' }), ...at(START) }]);
    await ledger.resolve({ id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] }, START);
    await ledger.resolve({ id: '0xm1', outcomes: ['No', 'Yes'], payouts: [1, 0] }, START);
    expect((await fixture.database.alerts.byId(1))?.resolution?.won).toBe(false);
  });

  test('the names of outcomes that had none are a correction', async () => {
    const ledger = await openLedger();
    await ledger.resolve({ id: '0xm1', outcomes: [], payouts: [1, 0] }, START);
    await ledger.resolve({ id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] }, START);
    expect(resolved).toMatchObject([
      { outcomes: [], log: { seq: 1 } },
      { outcomes: ['Yes', 'No'], log: { seq: 2 } },
    ]);
  });

  test('after a slow write the next group is half as large, down to 8, and twice as large after a quick one', async () => {
    const groups = { most: 20, slowMs: 25 };
    let now = 0;
    let tookMs = 26;
    const clock = { now: () => (now += tookMs) };
    const ledger = ledgerOver(fixture.database, { groups, clock });
    await ledger.open(1);
    const sizes: number[] = [];
    const write = async (count: number) => {
      sizes.push(ledger.groupSize);
      const keys = Array.from({ length: count }, (_, n) => `${now} ${n}`);
      await ledger.append(keys.map((key) => ({ candidate: candidateOf({ key }), ...at(START) })));
    };
    for (const count of [20, 10, 8]) await write(count);
    tookMs = 25;
    for (const count of [1, 1, 1]) await write(count);
    expect(sizes).toEqual([20, 10, 8, 8, 16, 20]);
  });
});
