import { expect, test } from 'vitest';
import { onEachDatabase, onSqlite } from '../../infra/database/each-database.ts';
import { takeLease } from '../../support/lease.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';

const SOURCE = 'replay:a.$b/c.jsonl.gz';

function snapshotOf(given: Partial<WholeSnapshot> = {}): WholeSnapshot {
  return { source: SOURCE, checkpoint: { offset: 1 }, chunks: ['one', 'two'], ...given };
}

onSqlite('snapshot', (fixture) => {
  test.each<[string, Partial<WholeSnapshot>]>([
    ['several chunks', { chunks: Array.from({ length: 12 }, (_, index) => `{"chunk":${index}}`) }],
    ['a large chunk', { chunks: ['é'.repeat(600_000)] }],
    ['no state yet', { chunks: null }],
    ['an empty state', { chunks: [] }],
    ['names that mean something to a database', { checkpoint: { $set: { 'a.b': [0.1 + 0.2, null, 'ü'] } } }],
    ['no checkpoint', { checkpoint: null }],
  ])('with %s comes back equal', async (_, given) => {
    const { ingest } = fixture.database;

    expect(await writeWhole(ingest, await takeLease(fixture.database), snapshotOf(given))).toBe(true);

    expect(await readWhole(ingest, SOURCE)).toStrictEqual(snapshotOf(given));
  });

  test('of a writer whose epoch has passed, or that released the lease, is refused, and the new holder’s stays', async () => {
    const { ingest } = fixture.database;
    const stale = await takeLease(fixture.database);
    await writeWhole(ingest, stale, snapshotOf({ checkpoint: 'old' }));
    const current = await takeLease(fixture.database, 'b', 1000);

    expect(await writeWhole(ingest, stale, snapshotOf({ checkpoint: 'late' }))).toBe(false);
    expect(await readWhole(ingest, SOURCE)).toStrictEqual(snapshotOf({ checkpoint: 'old' }));
    await writeWhole(ingest, current, snapshotOf({ checkpoint: 'new' }));
    expect(await writeWhole(ingest, stale, snapshotOf({ checkpoint: 'late' }))).toBe(false);
    expect(await ingest.writeChunks(stale, SOURCE, [{ set: 'late', position: 0, text: 'x' }])).toBe(false);
    expect(await ingest.dropChunks(stale, SOURCE, 10)).toBe(0);
    await fixture.database.lease.release(current);
    expect(await writeWhole(ingest, current, snapshotOf({ checkpoint: 'late' }))).toBe(false);

    expect(await readWhole(ingest, SOURCE)).toStrictEqual(snapshotOf({ checkpoint: 'new' }));
  });

  test('names sets whose chunks were written before, as many of each as it says; what it does not name is dropped', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database);
    const chunk = (set: string, position: number) => ({ set, position, text: `${set} ${position}` });
    await ingest.writeChunks(lease, SOURCE, [chunk('whole', 0), chunk('whole', 1)]);
    expect(await ingest.readSnapshot(SOURCE)).toBeNull();
    const sets = [{ id: 'whole', count: 2 }];
    await ingest.writeSnapshot(lease, { source: SOURCE, checkpoint: 1, sets });
    await ingest.writeChunks(lease, SOURCE, [chunk('whole', 2), chunk('changes', 0)]);
    expect(await readWhole(ingest, SOURCE)).toMatchObject({ chunks: ['whole 0', 'whole 1'] });

    const named = [
      { id: 'whole', count: 3 },
      { id: 'changes', count: 1 },
    ];
    await ingest.writeSnapshot(lease, { source: SOURCE, checkpoint: 2, sets: named });
    expect(await ingest.readChunks('whole', { first: 1, limit: 5 })).toEqual(['whole 1', 'whole 2']);
    expect(await readWhole(ingest, SOURCE)).toStrictEqual({
      source: SOURCE,
      checkpoint: 2,
      chunks: ['whole 0', 'whole 1', 'whole 2', 'changes 0'],
    });
    await ingest.writeSnapshot(lease, { source: SOURCE, checkpoint: 3, sets: [{ id: 'changes', count: 1 }] });

    expect([await ingest.dropChunks(lease, SOURCE, 2), await ingest.dropChunks(lease, SOURCE, 2)]).toEqual([
      2, 1,
    ]);
    expect(await ingest.dropChunks(lease, SOURCE, 2)).toBe(0);
    expect(await ingest.readChunks('whole', { first: 0, limit: 5 })).toEqual([]);
    expect(await readWhole(ingest, SOURCE)).toMatchObject({ checkpoint: 3, chunks: ['changes 0'] });
  });
});

onEachDatabase('snapshot of one process', (fixture) => {
  test('is read whole while another process replaces it', async () => {
    const { ingest } = fixture.database;
    const reader = (await fixture.another()).ingest;
    const lease = await takeLease(fixture.database);
    let isWriting = true;
    const writing = (async () => {
      for (let round = 1; round <= 30; round += 1) {
        const chunks = Array.from({ length: 1 + (round % 5) }, () => `round ${round}`);
        await writeWhole(ingest, lease, snapshotOf({ checkpoint: round, chunks }));
      }
      isWriting = false;
    })();

    let reads = 0;
    while (isWriting || reads === 0) {
      const snapshot = await readWhole(reader, SOURCE);
      await new Promise(setImmediate);
      if (snapshot === null) continue;
      reads += 1;
      const round = snapshot.checkpoint as number;
      expect(snapshot.chunks).toEqual(Array.from({ length: 1 + (round % 5) }, () => `round ${round}`));
    }

    await writing;
    expect(await readWhole(reader, SOURCE)).toMatchObject({ checkpoint: 30 });
  });
});
