import { createConnection } from 'mongoose';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Lease } from '../../../src/core/base/lease/lease.ts';
import type { ObservationBatch } from '../../../src/core/record/observations/observation-store.ts';
import { createModels, type Models } from '../../../src/infra/database/mongo/models.ts';
import { createMongoObservationStore } from '../../../src/infra/database/mongo/observation-store.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';
import { hourOf, marketOf } from './observed.ts';

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));
const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1000 };

function batchOf(text: string, ids: readonly string[]): ObservationBatch {
  return {
    markets: ids.map((marketId) => marketOf({ marketId, question: text })),
    hours: ids.map((marketId) => hourOf(marketId, 0, text)),
  };
}

/** What happens between the check of the lease and the writes. */
describe.skipIf(mongo?.available !== true)(`observations within ${mongo?.name}`, () => {
  /** A store to which something happens once, right before it writes markets. */
  async function interrupted(opened: TestDatabase, happens: (models: Models) => Promise<unknown>) {
    const connection = await createConnection(opened.url).asPromise();
    onTestFinished(async () => {
      await connection.close();
      await opened.drop();
    });
    const models = createModels(connection);
    let hasHappened = false;
    const observedMarkets = new Proxy(models.observedMarkets, {
      get(target, name) {
        if (name !== 'bulkWrite') return Reflect.get(target, name);
        return async (writes: never[]) => {
          if (!hasHappened) await happens(models);
          hasHappened = true;
          return target.bulkWrite(writes);
        };
      },
    });
    return createMongoObservationStore({ ...models, observedMarkets });
  }

  const open = async () => (await mongo?.open()) as TestDatabase;

  async function take({ database }: TestDatabase, owner: string): Promise<Lease> {
    const claim = { owner, now: 0, ttlMs: 1000, isGone: () => true };
    return (await database.ingest.acquire(claim)) as Lease;
  }

  test('a writer that loses the lease before its writes replaces nothing that the next holder wrote', async () => {
    const opened = await open();
    const { observations } = opened.database;
    const lease = await take(opened, 'a');
    await observations.write(lease, batchOf('old', ['a', 'b']));
    const store = await interrupted(opened, async () => {
      await observations.write(await take(opened, 'b'), batchOf('new', ['a']));
    });

    expect(await store.write(lease, batchOf('late', ['a', 'b']))).toBe(false);

    expect(await observations.market('a')).toMatchObject({ question: 'new' });
    expect(await observations.hours('a', EVER)).toMatchObject([{ text: 'new' }]);
  });

  test('a number that a former holder gave away meanwhile is not given away again', async () => {
    const opened = await open();
    const lease = await take(opened, 'b');
    const theirs = { _id: 'theirs', number: 1, epoch: lease.epoch, isOpen: true, body: '{}' };
    const store = await interrupted(opened, (models) => models.observedMarkets.create(theirs));

    expect(await store.write(lease, batchOf('mine', ['mine']))).toBe(true);
    expect(await store.write(lease, batchOf('mine', ['theirs']))).toBe(true);

    for (const marketId of ['mine', 'theirs'])
      expect(await store.hours(marketId, EVER)).toStrictEqual([hourOf(marketId, 0, 'mine')]);
  });

  test('hours are kept under the number that their market got from a former holder meanwhile', async () => {
    const opened = await open();
    const lease = await take(opened, 'b');
    const theirs = { number: 7, epoch: lease.epoch, isOpen: true, body: '{}' };
    const store = await interrupted(opened, (models) =>
      models.observedMarkets.create({ _id: 'both', ...theirs }),
    );

    expect(await store.write(lease, batchOf('mine', ['both']))).toBe(true);

    expect(await store.market('both')).toStrictEqual(marketOf({ marketId: 'both', question: 'mine' }));
    expect(await store.hours('both', EVER)).toStrictEqual([hourOf('both', 0, 'mine')]);
  });
});
