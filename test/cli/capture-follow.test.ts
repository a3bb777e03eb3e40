import { readdir } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { START } from '../support/rows.ts';
import { expected, fixture, replayed } from './capture-fixture.ts';

describe('tipoff capture', () => {
  test('--follow writes what comes later, until it is ended; the tape is finished then', async () => {
    const { record, file, folder, clock, stop, write, written } = await fixture();
    const recording = record({ isFollowing: true, since: 'now' });
    await clock.asleep();
    await write();
    await clock.advance(1_000);
    await vi.waitFor(() => expect(written()).toBe(2));
    expect(await readdir(folder)).toEqual(['out.jsonl.gz.part']);
    stop.abort();
    expect(await recording).toMatchObject({ rows: 2, isCut: false });
    expect(await replayed(file)).toEqual(expected(7, 8));
  });

  test('--follow outlives a database that is away for a while', async () => {
    const { record, file, clock, stop, said, database, written } = await fixture(1);
    let isAway = true;
    const from: typeof database.journal.from = (position, limit) =>
      isAway ? Promise.reject(new Error('gone fishing')) : database.journal.from(position, limit);
    const recording = record({ isFollowing: true }, { ...database.journal, from });
    for (let n = 0; n < 3; n += 1) {
      await clock.asleep();
      await clock.advance(1_000);
    }
    isAway = false;
    await clock.advance(1_000);
    await vi.waitFor(() => expect(written()).toBe(2));
    stop.abort();
    await recording;
    expect(said).toEqual([expect.stringContaining('gone fishing')]);
    expect(await replayed(file)).toEqual(expected(1, 2));
  });

  test('rows that were pruned before they could be written are named and counted', async () => {
    const { record, file, said, database } = await fixture();
    const { journal } = database;
    const bounds = async () => {
      const found = await journal.bounds();
      await journal.prune({ position: 5, acceptedBefore: START + 1e9, limit: 5 });
      return found;
    };
    let asked = 0;
    const isSecond = () => ++asked === 2;
    const result = await record({}, { ...journal, bounds: () => (isSecond() ? bounds() : journal.bounds()) });
    expect(result).toMatchObject({ rows: 2, missing: 4 });
    expect(said).toEqual([expect.stringMatching(/^Rows 1 to 4 /)]);
    expect(await replayed(file)).toEqual(expected(5, 6));
  });

  test('cut short it leaves nothing that looks whole', async () => {
    const { record, folder, stop } = await fixture();
    stop.abort();
    expect(await record()).toMatchObject({ isCut: true });
    expect(await readdir(folder)).toEqual([]);
  });

  test('while it writes, and when it is killed, there is no tape of that name', async () => {
    const { record, folder, clock, file, stop } = await fixture();
    const recording = record({ isFollowing: true });
    onTestFinished(async () => {
      stop.abort();
      await recording;
    });
    await clock.asleep();
    expect(await readdir(folder)).toEqual(['out.jsonl.gz.part']);
    await expect(record({ file })).rejects.toThrow('another capture writes it');
  });
});
