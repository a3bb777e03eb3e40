import { expect, test } from 'vitest';
import type { JsonObject, LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../src/core/alerts/log/log-store.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const hashOf = (seq: number) => seq.toString(16).padStart(64, '0');

function entryOf(given: Partial<LogEntry> & { seq: number }): LogEntry {
  const { seq } = given;
  return {
    kind: 'alert',
    key: `alert:${seq}`,
    epoch: 1,
    at: START + seq,
    body: { id: seq },
    previous: hashOf(seq - 1),
    hash: hashOf(seq),
    ...given,
  };
}

async function append(log: LogStore, ...entries: readonly LogEntry[]): Promise<void> {
  expect(await log.append(entries)).toBe('appended');
}

const ALL = 100;

onEachDatabase('log store', (fixture) => {
  test.each<[string, JsonObject]>([
    ['numbers to the bit', { at: [0.1 + 0.2, 1e21, 5e-324, 1.7976931348623157e308, -1.5, 2 ** 53 - 1, 0] }],
    ['every character', { text: 'ü € 😀 \u2028 \u0000 "\\', 'kéy 😀': 'e\u0301' }],
    [
      'names that mean something to a database',
      { $set: { 'a.b': null }, _id: [], '': {}, constructor: true },
    ],
    ['nothing', {}],
  ])('an entry comes back equal, with %s', async (_, body) => {
    const { log } = fixture.database;
    const entry = entryOf({ seq: 1, kind: 'rules', key: 'rules:0', body });

    await append(log, entry);

    const found = await (await fixture.another()).log.last();
    expect(found).toStrictEqual(entry);
    expect(await log.after(0, ALL)).toStrictEqual([entry]);
  });

  test('a number that another entry has is refused, and nothing is overwritten', async () => {
    const { log } = fixture.database;
    const entries = [1, 2, 3].map((seq) => entryOf({ seq }));
    await append(log, ...entries);

    expect(await log.append([entryOf({ seq: 3, hash: hashOf(77) })])).toBe('taken');

    expect(await log.after(0, ALL)).toStrictEqual(entries);
    expect(await log.after(1, 1)).toStrictEqual([entries[1]]);
  });

  test('a key that another entry has is refused', async () => {
    const { log } = fixture.database;
    await append(log, entryOf({ seq: 1, key: 'a' }));

    expect(await log.append([entryOf({ seq: 2, key: 'a' })])).toBe('taken');
    expect(await log.after(0, ALL)).toHaveLength(1);
  });

  test('chosen entries are read in order, the last of a kind, and which keys are known', async () => {
    const { log } = fixture.database;
    const kinds = ['alert', 'settlement', 'alert', 'settlement', 'settlement'] as const;
    const entries = kinds.map((kind, index) => entryOf({ seq: index + 1, kind }));
    await append(log, ...entries);

    expect(await log.some([5, 1, 9])).toStrictEqual([entries[0], entries[4]]);
    expect(await log.lastOf('alert')).toStrictEqual(entries[2]);
    expect(await log.lastOf('gap')).toBeNull();
    expect(new Set(await log.known(['alert:3', 'alert:8', 'alert:1']))).toEqual(
      new Set(['alert:1', 'alert:3']),
    );
  });

  test('its head at a moment is found', async () => {
    const { log } = fixture.database;
    const entries = [START, START + 10, START + 10, START + 20].map((at, index) =>
      entryOf({ seq: index + 1, at }),
    );
    await append(log, ...entries);

    const heads = [START - 1, START, START + 10, START + 19, START + 99].map((at) => log.headAt(at));
    expect((await Promise.all(heads)).map((head) => head?.seq ?? null)).toEqual([null, 1, 3, 3, 4]);
    expect(await log.headAt(START)).toStrictEqual(entries[0]);
  });
});
