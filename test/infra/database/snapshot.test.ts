import { expect, test } from 'vitest';
import type { IngestStore, Snapshot } from '../../../src/core/ports/ingest-store.ts';
import type { Lease } from '../../../src/core/ports/lease-store.ts';
import { onEachDatabase } from './each-database.ts';

const SOURCE = 'replay:a.$b/c.jsonl.gz';

function snapshotOf(given: Partial<Snapshot> = {}): Snapshot {
  return { source: SOURCE, checkpoint: { offset: 1 }, chunks: ['one', 'two'], ...given };
}

async function leaseOf(ingest: IngestStore, owner = 'a', now = 0): Promise<Lease> {
  const lease = await ingest.acquire({ owner, now, ttlMs: 1000, isGone: () => false });
  if (lease === null) throw new Error(`${owner} did not get the lease`);
  return lease;
}

onEachDatabase('snapshot', (fixture) => {
  test('of a source that has none is null', async () => {
    expect(await fixture.database.ingest.readSnapshot(SOURCE)).toBeNull();
    await leaseOf(fixture.database.ingest);
    expect(await fixture.database.ingest.readSnapshot(SOURCE)).toBeNull();
  });

  test.each<[string, Partial<Snapshot>]>([
    ['several chunks', { chunks: Array.from({ length: 12 }, (_, index) => `{"chunk":${index}}`) }],
    ['a large chunk', { chunks: ['é'.repeat(600_000)] }],
    ['no state yet', { chunks: null }],
    ['an empty state', { chunks: [] }],
    ['names that mean something to a database', { checkpoint: { $set: { 'a.b': [0.1 + 0.2, null, 'ü'] } } }],
    ['no checkpoint', { checkpoint: null }],
  ])('with %s comes back equal', async (_, given) => {
    const { ingest } = fixture.database;

    expect(await ingest.writeSnapshot(await leaseOf(ingest), snapshotOf(given))).toBe(true);

    expect(await ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf(given));
  });

  test('replaces the one before of its source, and no other', async () => {
    const { ingest } = fixture.database;
    const lease = await leaseOf(ingest);
    const other = snapshotOf({ source: 'tail:b', chunks: ['b'] });
    await ingest.writeSnapshot(lease, other);
    await ingest.writeSnapshot(lease, snapshotOf({ chunks: ['1', '2', '3'] }));
    const newest = snapshotOf({ checkpoint: { offset: 2 }, chunks: ['4'] });

    await ingest.writeSnapshot(lease, newest);

    expect(await ingest.readSnapshot(SOURCE)).toStrictEqual(newest);
    expect(await ingest.readSnapshot('tail:b')).toStrictEqual(other);
  });

  test('of a writer whose epoch has passed is refused, and the new holder’s stays', async () => {
    const { ingest } = fixture.database;
    const stale = await leaseOf(ingest);
    await ingest.writeSnapshot(stale, snapshotOf({ checkpoint: 'old' }));
    const current = await leaseOf(ingest, 'b', 1000);

    expect(await ingest.writeSnapshot(stale, snapshotOf({ checkpoint: 'late' }))).toBe(false);
    expect(await ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf({ checkpoint: 'old' }));
    await ingest.writeSnapshot(current, snapshotOf({ checkpoint: 'new' }));
    expect(await ingest.writeSnapshot(stale, snapshotOf({ checkpoint: 'late' }))).toBe(false);

    expect(await ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf({ checkpoint: 'new' }));
  });

  test('of a writer that has released the lease is refused', async () => {
    const { ingest } = fixture.database;
    const lease = await leaseOf(ingest);
    await ingest.release(lease);

    expect(await ingest.writeSnapshot(lease, snapshotOf())).toBe(false);
    expect(await ingest.readSnapshot(SOURCE)).toBeNull();
  });

  test('survives a change of hands, and a new start of the database', async () => {
    const { ingest } = fixture.database;
    await ingest.writeSnapshot(await leaseOf(ingest), snapshotOf());
    await leaseOf(ingest, 'b', 1000);

    expect(await (await fixture.another()).ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf());
  });

  test('is read whole while another process replaces it', async () => {
    const { ingest } = fixture.database;
    const reader = (await fixture.another()).ingest;
    const lease = await leaseOf(ingest);
    let isWriting = true;
    const writing = (async () => {
      for (let round = 1; round <= 30; round += 1) {
        const chunks = Array.from({ length: 1 + (round % 5) }, () => `round ${round}`);
        await ingest.writeSnapshot(lease, snapshotOf({ checkpoint: round, chunks }));
      }
      isWriting = false;
    })();

    let reads = 0;
    while (isWriting || reads === 0) {
      const snapshot = await reader.readSnapshot(SOURCE);
      await new Promise(setImmediate);
      if (snapshot === null) continue;
      reads += 1;
      const round = snapshot.checkpoint as number;
      expect(snapshot.chunks).toEqual(Array.from({ length: 1 + (round % 5) }, () => `round ${round}`));
    }

    await writing;
    expect(await reader.readSnapshot(SOURCE)).toMatchObject({ checkpoint: 30 });
  });

  test('of racing epochs the newer one wins, however their writes fall', async () => {
    const other = (await fixture.another()).ingest;
    for (let round = 0; round < 10; round += 1) {
      const mine = await leaseOf(fixture.database.ingest, `mine ${round}`, round * 2000);
      const [, theirs] = await Promise.all([
        fixture.database.ingest.writeSnapshot(mine, snapshotOf({ checkpoint: mine.epoch })),
        (async () => {
          const lease = await leaseOf(other, `theirs ${round}`, round * 2000 + 1000);
          await other.writeSnapshot(lease, snapshotOf({ checkpoint: lease.epoch }));
          return lease;
        })(),
      ]);
      expect(await other.readSnapshot(SOURCE)).toStrictEqual(snapshotOf({ checkpoint: theirs.epoch }));
    }
  });
});
