import { expect, test } from 'vitest';
import type { ObservationBatch } from '../../../src/core/record/observations/observation-store.ts';
import type { Collection, OpenCollection } from '../../../src/infra/database/stores/collection.ts';
import { createObservationStore } from '../../../src/infra/database/stores/observation-store.ts';
import { CHUNKS, createSnapshotStore } from '../../../src/infra/database/stores/snapshot-store.ts';
import { takeLease } from '../../support/lease.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';
import { type Fixture, onEachDatabase } from './each-database.ts';
import { hourOf, marketOf } from './observed.ts';

const SOURCE = 'tail:trades.jsonl';
const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1000 };

/** The collections, with something done once right before a call of one of them. */
async function interrupted(fixture: Fixture, name: string, method: keyof Collection<object>) {
  const open = await fixture.collections();
  let happens: (() => Promise<unknown>) | null = null;
  const wrapped: OpenCollection = (declaration) =>
    new Proxy(open(declaration), {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (declaration.name !== name || key !== method) return value.bind(target);
        return async (...args: unknown[]) => {
          const before = happens;
          happens = null;
          await before?.();
          return value.apply(target, args);
        };
      },
    });
  const before = (event: () => Promise<unknown>) => {
    happens = event;
  };
  return { open, wrapped, before };
}

function batchOf(text: string, ids: readonly string[]): ObservationBatch {
  return {
    markets: ids.map((marketId) => marketOf({ marketId, question: text })),
    hours: ids.map((marketId) => hourOf(marketId, 0, text)),
  };
}

onEachDatabase(
  'observations of a writer that loses the lease between its check and its writes',
  (fixture) => {
    test('replace nothing that the next holder wrote', async () => {
      const { observations } = fixture.database;
      const lease = await takeLease(fixture.database, 'a');
      await observations.write(lease, batchOf('old', ['a', 'b']));
      const { wrapped, before } = await interrupted(fixture, 'observed_markets', 'putEach');
      before(async () => observations.write(await takeLease(fixture.database, 'b'), batchOf('new', ['a'])));

      const store = createObservationStore(wrapped, wrapped);
      expect(await store.write(lease, batchOf('late', ['a', 'b']))).toBe(false);

      expect(await observations.market('a')).toMatchObject({ question: 'new' });
      expect(await observations.hours('a', EVER)).toMatchObject([{ text: 'new' }]);
    });

    test('get the number that a former holder gave their market meanwhile', async () => {
      const lease = await takeLease(fixture.database, 'b');
      const { wrapped, before } = await interrupted(fixture, 'observed_hours', 'putEach');
      const store = createObservationStore(wrapped, wrapped);
      await store.write(lease, batchOf('mine', ['other']));
      before(() => fixture.database.observations.write(lease, batchOf('theirs', ['both'])));

      expect(await store.write(lease, batchOf('mine', ['both']))).toBe(true);

      expect(await store.market('both')).toStrictEqual(marketOf({ marketId: 'both', question: 'theirs' }));
      for (const marketId of ['both', 'other'])
        expect(await store.hours(marketId, EVER)).toStrictEqual([hourOf(marketId, 0, 'mine')]);
    });
  },
);

onEachDatabase('snapshots of a writer that loses the lease', (fixture) => {
  const snapshotOf = (text: string): WholeSnapshot => ({
    source: SOURCE,
    checkpoint: text,
    chunks: [text, text],
  });
  const read = () => readWhole(fixture.database.ingest, SOURCE);

  test('after its chunks are written are not named, and the next holder clears what it left', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database, 'a');
    await writeWhole(ingest, lease, snapshotOf('old'));
    const { open, wrapped, before } = await interrupted(fixture, 'lease', 'update');
    before(() => takeLease(fixture.database, 'b'));

    expect(await writeWhole(createSnapshotStore(wrapped), lease, snapshotOf('late'))).toBe(false);
    expect(await read()).toStrictEqual(snapshotOf('old'));
    await ingest.dropChunks(await takeLease(fixture.database, 'c'), SOURCE, 10);

    expect(await read()).toStrictEqual(snapshotOf('old'));
    expect((await open(CHUNKS).find()).map(({ text }) => text)).toEqual(['old', 'old']);
  });

  test('neither replace nor thin out the snapshot of a newer epoch', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database, 'a');
    const { wrapped, before } = await interrupted(fixture, 'lease', 'update');
    before(async () => writeWhole(ingest, await takeLease(fixture.database, 'b'), snapshotOf('new')));

    expect(await writeWhole(createSnapshotStore(wrapped), lease, snapshotOf('late'))).toBe(false);
    expect(await ingest.dropChunks(lease, SOURCE, 10)).toBe(0);

    expect(await read()).toStrictEqual(snapshotOf('new'));
  });

  test('and looks for what to drop leave the chunks of the newer holder', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database, 'a');
    await writeWhole(ingest, lease, snapshotOf('old'));
    const { open, wrapped, before } = await interrupted(fixture, CHUNKS.name, 'pick');
    before(async () =>
      ingest.writeChunks(await takeLease(fixture.database, 'b'), SOURCE, [
        { set: 'b', position: 0, text: 'b' },
      ]),
    );

    await createSnapshotStore(wrapped).dropChunks(lease, SOURCE, 10);

    expect((await open(CHUNKS).find()).map(({ text }) => text).toSorted()).toEqual(['b', 'old', 'old']);
  });
});
