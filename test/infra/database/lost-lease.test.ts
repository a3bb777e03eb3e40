import { expect, test } from 'vitest';
import type { Collection, OpenCollection } from '../../../src/infra/database/stores/collection.ts';
import { createPriceStore } from '../../../src/infra/database/stores/price-store.ts';
import { CHUNKS, createSnapshotStore } from '../../../src/infra/database/stores/snapshot-store.ts';
import { takeLease } from '../../support/lease.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';
import { type Fixture, onEachDatabase } from './each-database.ts';
import { dayOf, marketOf } from './watched.ts';

const SOURCE = 'tail:trades.jsonl';

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
      const { wrapped, before } = await interrupted(fixture, name, 'putEach');
      before(async () => prices.write(await takeLease(fixture.database, 'b'), batchOf(0.2)));

      expect(await createPriceStore(wrapped, wrapped).write(lease, batchOf(0.3))).toBe(false);

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
