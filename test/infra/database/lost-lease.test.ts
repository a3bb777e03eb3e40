import { expect, test } from 'vitest';
import type { OpenDocuments } from '../../../src/core/base/documents/documents.ts';
import { WorkerLease } from '../../../src/core/base/lease/lease.ts';
import { CHUNKS, Snapshots } from '../../../src/core/ingest/snapshots.ts';
import type { ObservationBatch } from '../../../src/core/record/observations/observation-store.ts';
import type { OpenCollection } from '../../../src/infra/database/stores/collection.ts';
import { createObservationStore } from '../../../src/infra/database/stores/observation-store.ts';
import { takeLease } from '../../support/lease.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';
import { type Fixture, onEachDatabase } from './each-database.ts';
import { hourOf, marketOf } from './observed.ts';

const SOURCE = 'tail:trades.jsonl';
const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1000 };

/** Something that happens once, right before a call of a method. */
class Interruption {
  #happens: (() => Promise<unknown>) | null = null;

  before(event: () => Promise<unknown>): void {
    this.#happens = event;
  }

  of<Target extends object>(target: Target, method: keyof Target): Target {
    return new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (key !== method) return value.bind(target);
        return async (...args: unknown[]) => {
          const happens = this.#happens;
          this.#happens = null;
          await happens?.();
          return value.apply(target, args);
        };
      },
    });
  }
}

/** The observations of a process that is interrupted right before it writes to a collection. */
async function interruptedObservations(fixture: Fixture, name: string) {
  const open = await fixture.collections();
  const interruption = new Interruption();
  const openInterrupted: OpenCollection = (declaration) =>
    declaration.name === name ? interruption.of(open(declaration), 'putEach') : open(declaration);
  const { lease } = fixture.database;
  const store = createObservationStore(openInterrupted, (held) => lease.isHeld(held));
  return { store, before: interruption.before.bind(interruption) };
}

/** The snapshots of a process that is interrupted right before a call of the documents of a kind. */
function interruptedSnapshots({ database }: Fixture, kind: string, method: 'update' | 'find') {
  const interruption = new Interruption();
  const open: OpenDocuments = (declaration, options) => {
    const documents = database.documents(declaration, options);
    return declaration.kind === kind ? interruption.of(documents, method) : documents;
  };
  const snapshots = new Snapshots(open, new WorkerLease(open));
  return { snapshots, before: interruption.before.bind(interruption) };
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
      const { store, before } = await interruptedObservations(fixture, 'observed_markets');
      before(async () => observations.write(await takeLease(fixture.database, 'b'), batchOf('new', ['a'])));

      expect(await store.write(lease, batchOf('late', ['a', 'b']))).toBe(false);

      expect(await observations.market('a')).toMatchObject({ question: 'new' });
      expect(await observations.hours('a', EVER)).toMatchObject([{ text: 'new' }]);
    });

    test('get the number that a former holder gave their market meanwhile', async () => {
      const lease = await takeLease(fixture.database, 'b');
      const { store, before } = await interruptedObservations(fixture, 'observed_hours');
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
    const { snapshots, before } = interruptedSnapshots(fixture, 'lease', 'update');
    before(() => takeLease(fixture.database, 'b'));

    expect(await writeWhole(snapshots, lease, snapshotOf('late'))).toBe(false);
    expect(await read()).toStrictEqual(snapshotOf('old'));
    await ingest.dropChunks(await takeLease(fixture.database, 'c'), SOURCE, 10);

    expect(await read()).toStrictEqual(snapshotOf('old'));
    expect((await fixture.database.documents(CHUNKS).find()).map(({ text }) => text)).toEqual(['old', 'old']);
  });

  test('neither replace nor thin out the snapshot of a newer epoch', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database, 'a');
    const { snapshots, before } = interruptedSnapshots(fixture, 'lease', 'update');
    before(async () => writeWhole(ingest, await takeLease(fixture.database, 'b'), snapshotOf('new')));

    expect(await writeWhole(snapshots, lease, snapshotOf('late'))).toBe(false);
    expect(await ingest.dropChunks(lease, SOURCE, 10)).toBe(0);

    expect(await read()).toStrictEqual(snapshotOf('new'));
  });

  test('and looks for what to drop leave the chunks of the newer holder', async () => {
    const { ingest } = fixture.database;
    const lease = await takeLease(fixture.database, 'a');
    await writeWhole(ingest, lease, snapshotOf('old'));
    const { snapshots, before } = interruptedSnapshots(fixture, 'snapshot_sets', 'find');
    before(async () =>
      ingest.writeChunks(await takeLease(fixture.database, 'b'), SOURCE, [
        { set: 'b', position: 0, text: 'b' },
      ]),
    );

    await snapshots.dropChunks(lease, SOURCE, 10);

    expect((await fixture.database.documents(CHUNKS).find()).map(({ text }) => text).toSorted()).toEqual([
      'b',
      'old',
      'old',
    ]);
  });
});
