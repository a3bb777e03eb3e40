import { beforeEach, expect, test } from 'vitest';
import { EMPTY_LOG, type LogDraft, type LogEntry } from '../../../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../../src/core/alerts/log/log-store.ts';
import { LedgerConflict, LogWriter } from '../../../../src/core/alerts/log/log-writer.ts';
import { enterWithdrawal } from '../../../../src/core/alerts/withdrawal.ts';
import { sha256 } from '../../../../src/infra/secrets/key-crypto.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';
import { logLines, wholeLog } from '../../../support/whole-log.ts';
import { withMethods } from '../../../support/with-methods.ts';

const draftOf = (n: number, at = START + n): LogDraft => ({
  kind: 'alert',
  key: `alert:${n}`,
  at,
  body: { id: n },
});

onEachDatabase('the writer of the log', (one) => {
  let writer: LogWriter;
  const opened = async (log: LogStore = one.database.log, epoch = 1) => {
    const opening = new LogWriter({ log, sha256 });
    await opening.open(epoch);
    return opening;
  };
  const keys = async () => (await wholeLog(one.database)).map(({ key }) => key);

  beforeEach(async () => {
    writer = await opened();
  });
  test('entries that are appended at the same time are dense and unbroken', async () => {
    await Promise.all([1, 2, 3, 4, 5].map((n) => writer.append([draftOf(n)])));

    const entries = await wholeLog(one.database);
    expect(entries.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5].map((n) => `alert:${n}`));
    expect(writer.head).toEqual({ seq: 5, hash: entries[4]?.hash });
  });

  test('a writer that is opened later continues where the log ends', async () => {
    await writer.append([draftOf(1)]);
    const next = await opened();

    expect(next.head).toEqual(writer.head);
    await next.append([draftOf(2, START - 1)]);
    expect((await wholeLog(one.database)).map(({ at }) => at)).toEqual([START + 1, START + 1]);
  });

  test('one that is opened again over an empty log begins anew', async () => {
    const { log } = one.database;
    await writer.append([draftOf(1)]);
    let isEmpty = false;
    const replaced = await opened(withMethods(log, { last: async () => (isEmpty ? null : log.last()) }));
    isEmpty = true;
    await replaced.open(1);
    expect(replaced.head).toEqual(EMPTY_LOG);
  });

  test('the entries of a group follow each other and never go back in time', async () => {
    const written = [await writer.append([draftOf(1)]), await writer.append([draftOf(3), draftOf(2)])];

    const entries = await wholeLog(one.database);
    expect(entries).toEqual(written.flat());
    expect(entries.map(({ key, at }) => [key, at - START])).toEqual([
      ['alert:1', 1],
      ['alert:3', 3],
      ['alert:2', 3],
    ]);
  });

  test('it continues after what an operator withdrew meanwhile, and an alert of another process is a conflict', async () => {
    const { log } = one.database;
    const withdraw = (alertId: number) =>
      enterWithdrawal({ log, sha256 }, { alertId, at: START + 9, reason: 'wrong wallet' });
    await writer.append([draftOf(1)]);
    await withdraw(1);
    await writer.append([draftOf(2)]);
    await withdraw(2);
    await (await opened()).append([draftOf(3)]);

    await expect(writer.append([draftOf(4)])).rejects.toThrow(LedgerConflict);
    expect(await keys()).toEqual(['alert:1', 'withdrawal:1', 'alert:2', 'withdrawal:2', 'alert:3']);
  });

  test('a withdrawal that takes a place inside a group is passed, and the group is whole', async () => {
    const { log } = one.database;
    await writer.append([draftOf(1)]);
    let isFirst = true;
    const append: LogStore['append'] = async (entries) => {
      if (!isFirst) return log.append(entries);
      isFirst = false;
      // As MongoDB leaves an ordered insert: what came before the number that was taken is there.
      expect(await log.append(entries.slice(0, 1))).toBe('appended');
      await enterWithdrawal({ log, sha256 }, { alertId: 1, at: START + 9, reason: 'wrong wallet' });
      return log.append(entries.slice(1));
    };
    const written: LogEntry[] = [];
    const overtaken = new LogWriter({
      log: withMethods(log, { append }),
      sha256,
      onWritten: (entries) => void written.push(...entries),
    });
    await overtaken.open(1);
    await overtaken.append([2, 3, 4].map((n) => draftOf(n)));

    expect(await keys()).toEqual(['alert:1', 'alert:2', 'withdrawal:1', 'alert:3', 'alert:4']);
    expect(written.map(({ seq }) => seq)).toEqual([2, 4, 5]);
    expect(await logLines(one.database)).toHaveLength(5);
  });

  test('a writer of an earlier turn at the lease stands down before and after the later one has written', async () => {
    const { log } = one.database;
    const stale = await opened(log, 1);
    await stale.append([draftOf(1)]);
    await (await opened(log, 2)).append([draftOf(2)]);

    await expect(stale.append([draftOf(3)])).rejects.toThrow(LedgerConflict);
    await expect(stale.open(1)).rejects.toThrow(LedgerConflict);
    expect(stale.isOpen).toBe(false);
    expect((await wholeLog(one.database)).map(({ key, epoch }) => [key, epoch])).toEqual([
      ['alert:1', 1],
      ['alert:2', 2],
    ]);
  });

  test('a key that has an entry is a conflict, and nothing is entered twice', async () => {
    await writer.append([draftOf(1)]);
    await expect(writer.append([draftOf(1)])).rejects.toThrow(LedgerConflict);
    expect(await keys()).toEqual(['alert:1']);
  });

  test('an alert that is withdrawn again stays withdrawn once', async () => {
    const { log } = one.database;
    for (const reason of ['wrong wallet', 'again'])
      await enterWithdrawal({ log, sha256 }, { alertId: 1, at: START, reason });
    expect((await wholeLog(one.database)).map(({ body }) => body['reason'])).toEqual(['wrong wallet']);
  });

  test.each(['before', 'after'])(
    'a fault %s the entry is written closes it until it is opened again',
    async (when) => {
      const { log } = one.database;
      let isAway = true;
      const append: LogStore['append'] = async (entries) => {
        if (when === 'before' && isAway) throw new Error('away');
        const outcome = await log.append(entries);
        if (isAway) throw new Error('away');
        return outcome;
      };
      const faulty = await opened(withMethods(log, { append }));
      await expect(faulty.append([draftOf(1)])).rejects.toThrow('away');
      isAway = false;

      expect(faulty.isOpen).toBe(false);
      await expect(faulty.append([draftOf(2)])).rejects.toThrow('opened');
      await faulty.open(1);
      await faulty.append([draftOf(3)]);
      expect(await keys()).toEqual(when === 'after' ? ['alert:1', 'alert:3'] : ['alert:3']);
    },
  );

  test('a body that is not JSON is refused and leaves the writer open', async () => {
    await expect(writer.append([{ ...draftOf(1), body: { id: Number.NaN } }])).rejects.toThrow(TypeError);
    await writer.append([draftOf(2)]);
    expect(await logLines(one.database)).toHaveLength(1);
  });
});
