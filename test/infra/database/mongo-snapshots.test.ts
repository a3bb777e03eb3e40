import { createConnection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/core/ports/ingest-store.ts';
import type { Lease } from '../../../src/core/ports/lease-store.ts';
import { createModels, type Models } from '../../../src/infra/mongo/models.ts';
import { createSnapshots } from '../../../src/infra/mongo/snapshots.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';

const SOURCE = 'tail:trades.jsonl';
const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

function snapshotOf(text: string, chunkCount = 2): Snapshot {
  return { source: SOURCE, checkpoint: text, chunks: Array.from({ length: chunkCount }, () => text) };
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

  test('a writer that loses the lease after its chunks are written moves nothing and leaves nothing', async () => {
    const lease = await take('a');
    await opened.database.ingest.writeSnapshot(lease, snapshotOf('old'));

    expect(await interrupted(() => take('b')).write(lease, snapshotOf('late'))).toBe(false);

    expect(await opened.database.ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf('old'));
    expect(await textsOf()).toEqual(['old', 'old']);
  });

  test('a newer epoch’s snapshot is not replaced by a writer that had begun before', async () => {
    const lease = await take('a');
    const overtaken = async () => {
      await opened.database.ingest.writeSnapshot(await take('b'), snapshotOf('new'));
    };

    expect(await interrupted(overtaken).write(lease, snapshotOf('late'))).toBe(false);

    expect(await opened.database.ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf('new'));
    expect(await textsOf()).toEqual(['new', 'new']);
  });

  test('a crash before the pointer moves keeps the old one whole, and the next holder clears what is left', async () => {
    const lease = await take('a');
    await opened.database.ingest.writeSnapshot(lease, snapshotOf('old'));
    const crash = () => Promise.reject(new Error('crash'));
    await expect(interrupted(crash).write(lease, snapshotOf('half'))).rejects.toThrow('crash');
    expect(await opened.database.ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf('old'));

    await opened.database.ingest.writeSnapshot(await take('b'), snapshotOf('new'));

    expect(await opened.database.ingest.readSnapshot(SOURCE)).toStrictEqual(snapshotOf('new'));
    expect(await textsOf()).toEqual(['new', 'new']);
  });

  test('what a snapshot replaces is removed', async () => {
    const lease = await take('a');
    await opened.database.ingest.writeSnapshot(lease, snapshotOf('old', 3));

    await opened.database.ingest.writeSnapshot(lease, snapshotOf('new', 1));

    expect(await textsOf()).toEqual(['new']);
  });
});
