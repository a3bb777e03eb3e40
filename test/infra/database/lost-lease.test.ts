import { expect, test } from 'vitest';
import type { OpenDocuments } from '../../../src/core/base/documents/documents.ts';
import { WorkerLease } from '../../../src/core/base/lease/lease.ts';
import { CHUNKS, Snapshots } from '../../../src/core/ingest/snapshots.ts';
import { Prices } from '../../../src/core/record/prices/prices.ts';
import { takeLease } from '../../support/lease.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';
import { type Fixture, onEachDatabase } from './each-database.ts';
import { dayOf, marketOf } from './watched.ts';

const SOURCE = 'tail:trades.jsonl';

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

/** The documents of a process that is interrupted right before a call of those of a kind. */
function interruptedDocuments({ database }: Fixture, kind: string, method: 'update' | 'find' | 'put') {
  const interruption = new Interruption();
  const open: OpenDocuments = (declaration, options) => {
    const documents = database.documents(declaration, options);
    return declaration.kind === kind ? interruption.of(documents, method) : documents;
  };
  return { open, before: interruption.before.bind(interruption) };
}

/** The snapshots of a process that is interrupted so. */
function interruptedSnapshots(fixture: Fixture, kind: string, method: 'update' | 'find') {
  const { open, before } = interruptedDocuments(fixture, kind, method);
  return { snapshots: new Snapshots(open, new WorkerLease(open)), before };
}

onEachDatabase('prices of a writer that loses the lease between its check and its writes', (fixture) => {
  test.each(['watched_markets', 'price_days'])(
    'replace nothing that the next holder wrote: %s',
    async (name) => {
      const { prices } = fixture.database;
      const batchOf = (price: number) => ({
        markets: [marketOf({ marketId: 'a', endsAt: 10 * price })],
        days: [dayOf('a', 0, price)],
      });
      const lease = await takeLease(fixture.database, 'a');
      await prices.write(lease, batchOf(0.1));
      const { open, before } = interruptedDocuments(fixture, name, 'put');
      before(async () => prices.write(await takeLease(fixture.database, 'b'), batchOf(0.2)));

      expect(await new Prices(open, fixture.database.lease).write(lease, batchOf(0.3))).toBe(false);

      const range = { from: 0, before: 1e6, limit: 9 };
      expect(await prices.markets(['a'])).toStrictEqual(batchOf(0.2).markets);
      expect(await prices.days('a', range)).toStrictEqual(batchOf(0.2).days);
    },
  );
});

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
