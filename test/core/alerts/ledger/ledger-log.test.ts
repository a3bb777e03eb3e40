import { expect, test } from 'vitest';
import type { LogStore } from '../../../../src/core/alerts/log/log-store.ts';
import { LedgerConflict } from '../../../../src/core/alerts/log/log-writer.ts';
import { UserError } from '../../../../src/core/base/user-error.ts';
import { alertBody } from '../../../../src/http/views/alert-view.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { alertOf, candidateOf } from '../../../support/alerts.ts';
import { ledgerOver, ledgerParts } from '../../../support/ledger.ts';
import { START } from '../../../support/rows.ts';
import { wholeLog } from '../../../support/whole-log.ts';

const at = (detectedAt: number) => ({ tradedAt: detectedAt, detectedAt, isHistory: false });
const settled = (payouts: readonly number[], id = '0xm1') => ({ id, outcomes: ['Yes', 'No'], payouts });
const away = () => Promise.reject(new Error('away'));

onEachDatabase('what the ledger enters in the log', (one) => {
  const rows = () => one.database.alerts.after(0, 100);
  const entries = () => wholeLog(one.database);
  const kinds = async () => (await entries()).map(({ kind }) => kind);

  async function openLedger(log: Partial<LogStore> = {}) {
    const ledger = ledgerOver({ ...one.database, log: { ...one.database.log, ...log } });
    await ledger.open();
    return ledger;
  }

  test('an alert has an entry that states it as the API does, and its row has the position of that entry', async () => {
    const ledger = await openLedger();
    const [told] = await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START + 5) }]);

    const [entry] = await entries();
    const [row] = await rows();
    expect(row).toEqual(told);
    expect(row?.log).toEqual({ sequence: 1, hash: entry?.hash });
    expect(entry).toMatchObject({ kind: 'alert', subject: 'alert:1', at: START + 5 });
    expect(entry?.body).toEqual(alertBody(alertOf({ ...row, id: 1 })));
  });

  /** A database that crashes once it has acknowledged entry 2, and loses it, while the process continues with the next row. */
  const losingEntry2 = (): Partial<LogStore> => ({
    append: async (added, options) => {
      const [entry] = added;
      if (entry !== undefined && entry.sequence > 2) throw new Error('log: no entry 2');
      return entry?.sequence === 2 ? 'appended' : one.database.log.append(added, options);
    },
  });

  test.each(['alert, alert', 'outcome, alert', 'alert, outcome'])(
    'an entry that the database lost in a crash of its own is restored with the one after it (%s)',
    async (order) => {
      const play = async (ledger: Awaited<ReturnType<typeof openLedger>>) => {
        await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
        for (const [number, kind] of order.split(', ').entries())
          if (kind === 'outcome') await ledger.resolve(settled([1, 0]), START + number);
          else
            await ledger.append([
              {
                candidate: candidateOf({ key: `b${number}`, wallet: `0xw${number}` }),
                ...at(START + number),
              },
            ]);
      };
      await expect(openLedger(losingEntry2()).then(play)).rejects.toThrow('no entry 2');
      expect(await kinds()).toEqual(['alert']);

      await openLedger();

      expect(await kinds()).toEqual(['alert', ...order.split(', ')]);
      for (const { id, log } of await rows())
        expect(log, `alert ${id}`).toMatchObject({
          sequence: (await entries()).find(({ subject }) => subject === `alert:${id}`)?.sequence,
        });
    },
  );

  test('the first settlement of a market is an outcome, another one a correction, the same again nothing', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    for (const [after, payouts] of [
      [1, 0],
      [1, 0],
      [0, 1],
    ].entries())
      await ledger.resolve(settled(payouts), START + after);

    const [, outcome, correction, ...others] = await entries();
    expect(outcome).toMatchObject({ kind: 'outcome', subject: 'market:0xm1', at: START });
    expect(outcome?.body).toEqual({ market_id: '0xm1', outcomes: ['Yes', 'No'], payouts: [1, 0] });
    expect(correction).toMatchObject({ kind: 'correction', at: START + 2 });
    expect(correction?.body).toMatchObject({ payouts: [0, 1] });
    expect(others).toEqual([]);
  });

  test('the row of a market has the position of its last entry, also after its alerts were counted again', async () => {
    const ledger = await openLedger();
    await ledger.resolve(settled([1, 0]), START + 7);
    await ledger.append([{ candidate: candidateOf({ key: 'late' }), ...at(START + 9) }]);

    const [outcome] = await entries();
    const row = await one.database.settlements.get('0xm1');
    expect(row).toMatchObject({ resolved: 1, log: { sequence: 1, hash: outcome?.hash, at: START + 7 } });
    expect(await kinds()).toEqual(['outcome', 'alert']);
  });

  test('rows that are read again after a correction do not put the first outcome back', async () => {
    const ledger = await openLedger();
    await ledger.append([{ candidate: candidateOf({ key: 'a' }), ...at(START) }]);
    await ledger.resolve(settled([1, 0]), START + 1);
    await ledger.resolve(settled([0, 1]), START + 2);
    const again = await openLedger();
    await again.resolve(settled([1, 0]), START + 1);
    await again.resolve(settled([0, 1]), START + 2);

    expect(await kinds()).toEqual(['alert', 'outcome', 'correction']);
    expect((await rows())[0]?.resolution?.won).toBe(false);
  });

  test.each(['alert', 'outcome'])('the missing entry of an %s is made again of its row', async (kind) => {
    const undisturbed = await openLedger();
    await undisturbed.append([{ candidate: candidateOf({ key: 'a' }), ...at(START + 9) }]);
    const dying = await openLedger({ append: away });
    const last =
      kind === 'alert'
        ? dying.append([{ candidate: candidateOf({ key: 'b' }), ...at(START) }])
        : dying.resolve(settled([1, 0]), START + 3);
    await expect(last).rejects.toThrow('away');
    await openLedger();

    const log = kind === 'alert' ? (await rows())[1]?.log : (await one.database.settlements.get('0xm1'))?.log;
    expect((await entries()).at(-1)).toMatchObject({
      kind,
      sequence: 2,
      hash: log?.hash,
      // Never before the entry before it.
      at: START + 9,
    });
  });

  test.each(['rows', 'entries'])(
    'a group of which a part of the %s was written is completed without a gap when it is judged again',
    async (part) => {
      const group = [0, 1, 2, 3].map((n) => ({ candidate: candidateOf({ key: `${n}` }), ...at(START) }));
      const { alerts, log } = one.database;
      const half = <Given>(given: readonly Given[]) => given.slice(0, 2);
      const dying = ledgerOver({
        ...one.database,
        ...(part === 'rows' && {
          alerts: { ...alerts, append: (...rows) => alerts.append(...half(rows)).then(away) },
        }),
        ...(part === 'entries' && {
          log: { ...log, append: (added, options) => log.append(half(added), options).then(away) },
        }),
      });
      await dying.open();
      await expect(dying.append(group)).rejects.toThrow('away');

      await (await openLedger()).append(group);

      const found = (await entries()).map(({ subject, sequence, hash }) => ({
        subject,
        log: { sequence, hash },
      }));
      expect(
        (await rows()).map(({ id, log: position }) => ({ subject: `alert:${id}`, log: position })),
      ).toEqual(found);
      expect((await rows()).map(({ id, key }) => [id, key])).toEqual(
        [0, 1, 2, 3].map((n) => [n + 1, `${n}`]),
      );
    },
  );

  test('a row that does not make its missing entry stops the start, and the error names both hashes', async () => {
    await one.database.alerts.append(alertOf({ id: 1, log: { sequence: 1, hash: 'f'.repeat(64) } }));
    const opening = openLedger();

    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(/Entry 1 .* alert:1 .* not f{64}/);
  });

  test('a log that ends before the entry of the last alert stops the start', async () => {
    await one.database.alerts.append(alertOf({ id: 1, log: { sequence: 3, hash: 'f'.repeat(64) } }));

    await expect(openLedger()).rejects.toThrow(/ends with entry 0, but alert:1 is entry 3/);
  });

  test.each(['alert', 'outcome'])(
    'an %s that was written for a position taken meanwhile gets an entry, and its row that position',
    async (kind) => {
      const { alerts, settlements } = one.database;
      const parts = ledgerParts(one.database);
      await parts.ledger.open();
      await parts.writer.appendAgain({ kind: 'rules', subject: 'rules', at: START, body: {} });
      const log = { sequence: 1, hash: 'f'.repeat(64) };
      const row = { marketId: '0xm1', seq: 1, outcomes: ['Yes'], payouts: [1], resolved: 0, won: 0 };
      if (kind === 'alert') await alerts.append(alertOf({ id: 1, log }));
      else await settlements.put({ ...row, log: { ...log, at: START + 4 } });
      for (const _ of ['once', 'again']) {
        await openLedger();
        expect(await kinds()).toEqual(['rules', kind]);
        const taken = { sequence: 2, hash: (await entries())[1]?.hash };
        if (kind === 'alert') expect((await rows())[0]?.log).toEqual(taken);
        else expect(await settlements.get('0xm1')).toEqual({ ...row, log: { ...taken, at: START + 4 } });
      }
    },
  );

  test('a row that another process wrote under the same id leaves no entry', async () => {
    const ledger = await openLedger();
    await one.database.alerts.append(alertOf({ id: 1, key: 'theirs' }));

    const finding = { candidate: candidateOf({ key: 'mine' }), ...at(START) };
    await expect(ledger.append([finding])).rejects.toThrow(LedgerConflict);
    expect(await kinds()).toEqual([]);
  });
});
