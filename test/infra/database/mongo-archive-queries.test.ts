import { createConnection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, type Criteria } from '../../../src/infra/database/archive-queries.ts';
import type { AlertDocument } from '../../../src/infra/mongo/alert-model.ts';
import { createMongoArchiveQueries } from '../../../src/infra/mongo/archive-queries.ts';
import { createModels } from '../../../src/infra/mongo/models.ts';
import { DATABASES, type TestDatabase } from '../../support/databases.ts';

const COUNT = 60_000;
const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

type Facets = Pick<
  AlertDocument,
  '_id' | 'category' | 'side' | 'type' | 'score' | 'usdc' | 'isResolved' | 'listing' | 'wallet'
>;

/** No two of them go in step. */
function facetsOf(_id: number): Facets {
  return {
    _id,
    category: _id % 7 === 0 ? 'tech' : 'politics',
    side: _id % 5 === 0 ? 'SELL' : 'BUY',
    type: _id % 11 === 0 ? 'cluster' : 'fresh',
    score: (_id * 37) % 101,
    usdc: (_id * 7919) % 10_007,
    isResolved: _id % 13 === 0,
    listing: `listing ${_id % 400}`,
    wallet: `0x${_id % 997}`,
  };
}

/** Enough alerts that an index must be chosen, and counts are made in parts. */
describe.skipIf(mongo?.available !== true)(`archive queries within ${mongo?.name}`, () => {
  const facets = Array.from({ length: COUNT }, (_, index) => facetsOf(index + 1));
  let opened: TestDatabase;
  let connection: ReturnType<typeof createConnection>;
  let queries: ReturnType<typeof createMongoArchiveQueries>;

  beforeAll(async () => {
    opened = (await mongo?.open()) as TestDatabase;
    connection = await createConnection(opened.url).asPromise();
    const models = createModels(connection);
    await models.alerts.collection.insertMany(
      facets.map((facet) => ({ ...facet, key: String(facet._id) })) as never,
    );
    queries = createMongoArchiveQueries(models);
  });
  afterAll(async () => {
    await connection.close();
    await opened.drop();
  });

  const all: Criteria<string>[] = [
    { categories: ['tech'] },
    { categories: ['tech', 'politics'] },
    { categories: [] },
    { minScore: 99 },
    { minScore: 10 },
    { minUsdc: 10_000 },
    { minUsdc: 5 },
    { isResolved: true },
    { isResolved: false },
    { side: 'SELL' },
    { categories: ['tech'], minScore: 5, minUsdc: 10 },
    { categories: ['politics'], side: 'BUY', isResolved: false },
    { minScore: 50, minUsdc: 9990, type: 'cluster' },
    { text: { wallet: '0x5', listings: [], share: 0.01 }, minScore: 50 },
    { text: { wallet: null, listings: ['listing 3', 'listing 77'], share: 0.01 } },
    { text: { wallet: null, listings: ['listing 3', 'listing 77'], share: 0.9 }, side: 'BUY' },
    { text: { wallet: '0x5', listings: ['listing 3'], share: 0.01 } },
    { text: { wallet: null, listings: [], share: 0.01 } },
  ];

  test.each(all.map((criteria) => [JSON.stringify(criteria), criteria] as const))(
    'by whatever index, %s counts and lists what matches',
    async (_, criteria) => {
      for (const range of [
        { after: 0, upto: COUNT },
        { after: 1234, upto: 5678 },
        { after: 3, upto: COUNT - 3 },
      ]) {
        const expected = facets
          .filter((facet) => facet._id > range.after && facet._id <= range.upto && matches(facet, criteria))
          .map(({ _id }) => _id)
          .toReversed();

        const counts = await queries.counts(criteria, range, 5000);
        expect(counts).toEqual(
          blocksOf(range, 5000).map(
            ({ after, upto }) => expected.filter((id) => id > after && id <= upto).length,
          ),
        );
        expect(await queries.ids(criteria, range, { skip: 3, limit: 50 })).toEqual(expected.slice(3, 53));
      }
    },
  );
});

function matches(
  facet: Facets,
  { minScore, minUsdc, text, categories, ...equal }: Criteria<string>,
): boolean {
  return (
    Object.entries(equal).every(([name, value]) => facet[name as keyof Facets] === value) &&
    (categories === undefined || categories.includes(facet.category)) &&
    (minScore === undefined || facet.score >= minScore) &&
    (minUsdc === undefined || facet.usdc > minUsdc) &&
    (text === undefined || text.wallet === facet.wallet || text.listings.includes(facet.listing))
  );
}
