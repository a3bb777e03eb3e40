import { createConnection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lease } from '../../../src/core/base/lease/lease.ts';
import { createSnapshots } from '../../../src/infra/database/mongo/ingest-store.ts';
import { createModels, type Models } from '../../../src/infra/database/mongo/models.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { readWhole, type WholeSnapshot, writeWhole } from '../../support/whole-snapshot.ts';

const SOURCE = 'tail:trades.jsonl';
const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

function snapshotOf(text: string): WholeSnapshot {
  return { source: SOURCE, checkpoint: text, chunks: [text, text] };
}

/** What happens between the writing of the chunks and the move of the pointer. */
describe.skipIf(mongo?.available !== true)(`snapshots within ${mongo?.name}`, () => {
  let opened: TestDatabase;
  let connection: Awaited<ReturnType<typeof connect>>;
  let models: Models;
  const connect = () => createConnection(opened.url).asPromise();

  beforeEach(async () => {
    opened = (await mongo?.open()) as TestDatabase;
    connection = await connect();
    models = createModels(connection);
  });
  afterEach(async () => {
    await connection.close();
    await opened.drop();
  });

  async function take(owner: string): Promise<Lease> {
    const claim = { owner, now: 0, ttlMs: 1000, isGone: () => true };
    return (await opened.database.ingest.acquire(claim)) as Lease;
  }

  /** The store, with something done each time after it has written chunks. */
  function interrupted(done: () => Promise<unknown>) {
    const chunks = new Proxy(models.chunks, {
      get(target, name) {
        if (name !== 'insertMany') return Reflect.get(target, name);
        return async (documents: never[]) => {
          await target.insertMany(documents);
          await done();
        };
      },
    });
    return createSnapshots({ ...models, chunks });
  }

  const textsOf = async () => (await models.chunks.find().lean()).map(({ text }) => text);

  const read = () => readWhole(opened.database.ingest, SOURCE);

  test('a writer that loses the lease after its chunks are written moves nothing, and the next holder clears what it left', async () => {
    const lease = await take('a');
    await writeWhole(opened.database.ingest, lease, snapshotOf('old'));

    expect(
      await writeWhole(
        interrupted(() => take('b')),
        lease,
        snapshotOf('late'),
      ),
    ).toBe(false);
    expect(await read()).toStrictEqual(snapshotOf('old'));
    await opened.database.ingest.dropChunks(await take('c'), SOURCE, 10);

    expect(await read()).toStrictEqual(snapshotOf('old'));
    expect(await textsOf()).toEqual(['old', 'old']);
  });

  test('a newer epoch’s snapshot is neither replaced nor thinned out by a writer that had begun before', async () => {
    const lease = await take('a');
    const overtaken = async () => {
      await writeWhole(opened.database.ingest, await take('b'), snapshotOf('new'));
    };

    expect(await writeWhole(interrupted(overtaken), lease, snapshotOf('late'))).toBe(false);
    expect(await opened.database.ingest.dropChunks(lease, SOURCE, 10)).toBe(0);

    expect(await read()).toStrictEqual(snapshotOf('new'));
  });

  test('chunks that a newer holder writes while an older one looks for what to drop stay', async () => {
    const lease = await take('a');
    await writeWhole(opened.database.ingest, lease, snapshotOf('old'));
    const lookedAt = new Proxy(models.leases, {
      get(target, name) {
        if (name !== 'findOne') return Reflect.get(target, name);
        return (filter: object) => ({
          async lean() {
            const held = await target.findOne(filter).lean();
            const next = await take('b');
            await opened.database.ingest.writeChunks(next, SOURCE, [{ set: 'b', position: 0, text: 'b' }]);
            return held;
          },
        });
      },
    });

    await createSnapshots({ ...models, leases: lookedAt }).dropChunks(lease, SOURCE, 10);

    expect(await textsOf()).toEqual(['old', 'old', 'b']);
  });
});
