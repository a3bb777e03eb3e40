import { beforeEach, expect, test } from 'vitest';
import type { LogDraft, LogHead } from '../../../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../../src/core/alerts/log/log-store.ts';
import { LedgerConflict, LogWriter } from '../../../../src/core/alerts/log/log-writer.ts';
import { sha256 } from '../../../../src/infra/secrets/key-crypto.ts';
import { onEachDatabase } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';
import { logLines, wholeLog } from '../../../support/whole-log.ts';

const draftOf = (n: number, at = START + n): LogDraft => ({
  kind: 'alert',
  subject: `alert:${n}`,
  at,
  body: { id: n },
});

onEachDatabase('the writer of the log', (one) => {
  let writer: LogWriter;
  const opened = async (store: LogStore = one.database.log) => {
    const log = new LogWriter(store, sha256);
    await log.open();
    return log;
  };

  beforeEach(async () => {
    writer = await opened();
  });
  test('entries that are appended at the same time are dense and unbroken', async () => {
    await Promise.all([1, 2, 3, 4, 5].map((n) => writer.append(draftOf(n))));

    const entries = await wholeLog(one.database);
    expect(entries.map(({ subject }) => subject)).toEqual([1, 2, 3, 4, 5].map((n) => `alert:${n}`));
    expect(writer.head).toEqual({ sequence: 5, hash: entries[4]?.hash });
  });

  test('a writer that is opened later continues where the log ends', async () => {
    await writer.append(draftOf(1));
    const next = await opened();

    expect(next.head).toEqual(writer.head);
    await next.append(draftOf(2, START - 1));
    expect((await wholeLog(one.database)).map(({ at }) => at)).toEqual([START + 1, START + 1]);
  });

  test('the row is written before the entry, with the position that the entry gets', async () => {
    let row: LogHead | null = null;
    const isWritten = async () => (await one.database.log.last()) !== null;
    let wasWrittenBefore = true;
    await writer.appendWithRows([draftOf(1)], async ([position]) => {
      wasWrittenBefore = await isWritten();
      row = position ?? null;
    });

    expect(wasWrittenBefore).toBe(false);
    expect(row).toEqual(writer.head);
    expect(await one.database.log.last()).toMatchObject(writer.head);
  });

  test('rows of a group get the positions of their entries, which follow each other', async () => {
    await writer.append(draftOf(1));
    let given: readonly LogHead[] = [];
    await writer.appendWithRows([draftOf(3), draftOf(2)], async (positions) => {
      given = positions;
    });

    const [first, ...entries] = await wholeLog(one.database);
    expect(entries.map(({ sequence, hash }) => ({ sequence, hash }))).toEqual(given);
    expect(entries.map(({ previous }) => previous)).toEqual([first?.hash, given[0]?.hash]);
    expect(entries.map(({ at }) => at - START)).toEqual([3, 3]);
    expect(writer.head).toEqual(given[1]);
  });

  test('a position that another process took is a conflict', async () => {
    const rival = await opened();
    await rival.append(draftOf(1));

    await expect(writer.append(draftOf(2))).rejects.toThrow(LedgerConflict);
    expect((await wholeLog(one.database)).map(({ subject }) => subject)).toEqual(['alert:1']);
  });

  test('an entry that is made of a row may be lost until the next write, every other one waits for the disk', async () => {
    const { log } = one.database;
    const restorable: (boolean | undefined)[] = [];
    const append: LogStore['append'] = (entries, options) => {
      restorable.push(options?.isRestorable);
      return log.append(entries, options);
    };
    const spied = await opened({ ...log, last: log.last, lastAbout: log.lastAbout, append });

    await spied.append(draftOf(1));
    await spied.appendWithRows([draftOf(2)], async () => {});
    await spied.appendAgain(draftOf(3));

    expect(restorable).toEqual([false, true, false]);
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
      const faulty = await opened({ ...log, last: log.last, append });
      await expect(faulty.append(draftOf(1))).rejects.toThrow('away');
      isAway = false;

      expect(faulty.isOpen).toBe(false);
      await expect(faulty.append(draftOf(2))).rejects.toThrow('opened');
      await faulty.open();
      await faulty.append(draftOf(3));
      const subjects = (await wholeLog(one.database)).map(({ subject }) => subject);
      expect(subjects).toEqual(when === 'after' ? ['alert:1', 'alert:3'] : ['alert:3']);
    },
  );

  test('a row that could not be written closes it too, since it may have been', async () => {
    const fault = () => Promise.reject(new Error('away'));

    await expect(writer.appendWithRows([draftOf(1)], fault)).rejects.toThrow('away');
    await expect(writer.append(draftOf(2))).rejects.toThrow('opened');
  });

  test('a body that is not JSON is refused and leaves the writer open', async () => {
    await expect(writer.append({ ...draftOf(1), body: { id: Number.NaN } })).rejects.toThrow(TypeError);
    await writer.append(draftOf(2));
    expect(await logLines(one.database)).toHaveLength(1);
  });

  test('what has not changed since its newest entry gets no other', async () => {
    const draft = (version: string): LogDraft => {
      return { kind: 'software', subject: 'software', at: START, body: { version, name: 'x' } };
    };
    for (const version of ['1', '1', '2', '2', '1']) await writer.appendAgain(draft(version));

    expect((await wholeLog(one.database)).map(({ body }) => body['version'])).toEqual(['1', '2', '1']);
  });
});
