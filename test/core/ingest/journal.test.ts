import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lease } from '../../../src/core/base/lease/lease.ts';
import type { Database } from '../../../src/core/database.ts';
import type { JournalBatch } from '../../../src/core/ingest/journal.ts';
import { onEachDatabase, onSqlite } from '../../infra/database/each-database.ts';
import { takeLease } from '../../support/lease.ts';

const batchOf = (first: number, count: number, acceptedAt = first): JournalBatch => ({
  first,
  acceptedAt,
  lines: Array.from({ length: count }, (_, index) => `{"row":${first + index},"é":"\\n"}`),
});

async function write(database: Database, lease: Lease, count: number): Promise<JournalBatch[]> {
  const written: JournalBatch[] = [];
  for (let n = 1, first = 1; n <= count; first += n, n += 1) {
    const batch = batchOf(first, n);
    expect(await database.journal.append(lease, batch)).toBe(true);
    written.push(batch);
  }
  return written;
}

onSqlite('journal', (fixture) => {
  test('gives back what was written, to another process too, from the batch that holds the position', async () => {
    const { database } = fixture;
    const written = await write(database, await takeLease(database), 4);
    const { journal } = await fixture.another();
    expect(await journal.from(0, 10)).toEqual(written);
    expect(await journal.from(1, 2)).toEqual(written.slice(0, 2));
    for (const [position, index] of [
      [2, 1],
      [3, 1],
      [4, 2],
      [6, 2],
      [7, 3],
      [10, 3],
    ] as const)
      expect(await journal.from(position, 10)).toEqual(written.slice(index));
    expect(await journal.from(11, 10)).toEqual([]);
    expect(await journal.bounds()).toEqual({ oldest: 1, next: 11 });
  });

  test('refuses the former holder of the lease, and one that gave it up', async () => {
    const { database } = fixture;
    const { journal } = database;
    const former = await takeLease(database);
    await write(database, former, 1);
    const current = await takeLease(database, 'b');
    expect(await journal.append(former, batchOf(2, 1))).toBe(false);
    expect(await journal.append(current, batchOf(2, 1))).toBe(true);
    await fixture.database.lease.release(current);
    expect(await journal.append(current, batchOf(3, 1))).toBe(false);
    expect(await journal.bounds()).toEqual({ oldest: 1, next: 3 });
  });

  test('refuses to keep a line with a line end within, which would move all positions after it', async () => {
    const { database } = fixture;
    const lease = await takeLease(database);
    const append = database.journal.append(lease, { first: 1, acceptedAt: 1, lines: ['{\n}'] });
    await expect(append).rejects.toThrow('one line');
    expect(await database.journal.bounds()).toEqual({ oldest: 1, next: 1 });
  });

  test('whatever is appended and pruned, also while the wall clock is set back, what is kept is dense and its end stays', async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 4 }), at: fc.nat(30) }),
      fc.record({ prune: fc.nat(30), before: fc.nat(30), limit: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 15 }), async (steps) => {
        const database = await fixture.fresh();
        const { journal } = database;
        const lease = await takeLease(database);
        let end = 1;
        for (const given of steps) {
          if ('append' in given) {
            expect(await journal.append(lease, batchOf(end, given.append, given.at))).toBe(true);
            end += given.append;
          } else {
            await journal.prune({ position: given.prune, acceptedBefore: given.before, limit: given.limit });
          }
          const { oldest, next } = await journal.bounds();
          expect(next).toBe(end);
          const kept = (await journal.from(1, 1_000)).flatMap(({ lines }) => lines);
          expect(kept).toEqual(batchOf(oldest, end - oldest).lines);
        }
      }),
      { numRuns: 4 },
    );
  });
});

onEachDatabase('journal with two writers', (fixture) => {
  test('refuses a batch that is not the next one, and writes nothing of it; of two writers one wins', async () => {
    const { database } = fixture;
    const { journal } = database;
    const lease = await takeLease(database);
    expect(await journal.append(lease, batchOf(2, 1))).toBe(false);
    const other = (await fixture.another()).journal;
    const race = [journal, other].map((store) => store.append(lease, batchOf(1, 1)));
    expect((await Promise.all(race)).toSorted()).toEqual([false, true]);
    expect(await journal.append(lease, batchOf(2, 2))).toBe(true);
    for (const first of [1, 2, 3, 5]) expect(await journal.append(lease, batchOf(first, 3))).toBe(false);
    expect(await journal.bounds()).toEqual({ oldest: 1, next: 4 });
  });
});
