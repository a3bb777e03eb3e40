import type { QueryFilter } from 'mongoose';
import type { ArchiveQueries, MarketGroup, TextMatch } from '../database/archive-queries.ts';
import { RESOLUTIONS, resolutionTotals } from '../stores/resolution-store.ts';
import { type AlertDocument, TIME_INDEX, toAlert, WALK_INDEX, WALLET_INDEX } from './alert-model.ts';
import { countBlocks, countMatches, outcomesByListing } from './archive-counts.ts';
import { chooseIndex, toFilter } from './choose-index.ts';
import type { Models } from './models.ts';
import { MongoCollection } from './mongo-collection.ts';

export function createMongoArchiveQueries(models: Models): ArchiveQueries<string> {
  const { alerts } = models;
  const resolutions = new MongoCollection(alerts.db, RESOLUTIONS);
  return {
    // What is counted up to here is kept, so that none of it may be rolled back.
    async lastId() {
      const last = alerts.find({}, { _id: 1 }).sort({ _id: -1 }).limit(1);
      return (await last.readConcern('majority').lean())[0]?._id ?? 0;
    },
    async lastIdBefore(at) {
      const earlier = alerts.find({ createdAt: { $lt: at } }, { _id: 1 }).hint(TIME_INDEX);
      const last = earlier.sort({ createdAt: -1, _id: -1 }).limit(1);
      return (await last.readConcern('majority').lean())[0]?._id ?? 0;
    },
    matchText: (text) => matchText(models, text),
    counts: (criteria, range, blockSize) => countBlocks(alerts, criteria, range, blockSize),
    async ids(criteria, range, { skip, limit }) {
      if (limit === 0) return [];
      const { index } = await chooseIndex(alerts, criteria, range);
      const found = alerts.find(toFilter(criteria, range), { _id: 1 }).hint(index);
      return (await found.sort({ _id: -1 }).skip(skip).limit(limit).lean()).map(({ _id }) => _id);
    },
    matchCounts: (criteria, ranges) => countMatches(alerts, criteria, ranges),
    outcomes: async (criteria, range) =>
      withMarkets(models, await outcomesByListing(alerts, criteria, range)),
    load: async (ids) => (await alerts.find({ _id: { $in: ids } }).lean()).map(toAlert),
    groups: async (range, category) =>
      groups(models, toFilter(category === undefined ? {} : { categories: [category] }, range)),
    async summary(range) {
      const [sums] = await alerts
        .aggregate<{ scoreSum: number; clusters: number }>([
          { $match: toFilter({}, range) },
          {
            $group: {
              _id: null,
              scoreSum: { $sum: '$score' },
              clusters: { $sum: { $cond: [{ $eq: ['$type', 'cluster'] }, 1, 0] } },
            },
          },
        ])
        .hint(WALK_INDEX);
      return sums ?? { scoreSum: 0, clusters: 0 };
    },
    resolutionTotals: () => resolutionTotals(resolutions),
  };
}

/** `$indexOfBytes` takes the text as it is: no pattern, nothing to escape. */
async function matchText({ alerts, listings }: Models, text: string): Promise<TextMatch<string>> {
  const holds = (field: string) => ({ $gte: [{ $indexOfBytes: [field, { $literal: text }] }, 0] });
  const $expr = { $or: [holds('$titleLower'), holds('$slugLower')] };
  const [matching, listingCount, ofWallet] = await Promise.all([
    listings.find({ $expr }, { _id: 1 }).lean(),
    listings.estimatedDocumentCount(),
    alerts.exists({ wallet: text }).hint(WALLET_INDEX),
  ]);
  return {
    wallet: ofWallet === null ? null : text,
    listings: matching.map(({ _id }) => _id),
    share: matching.length <= 1 ? 0 : matching.length / Math.max(1, listingCount),
  };
}

async function groups(
  { alerts, listings }: Models,
  filter: QueryFilter<AlertDocument>,
): Promise<MarketGroup[]> {
  const sums = await alerts
    .aggregate<Omit<MarketGroup, 'marketId'> & { _id: string }>([
      { $match: filter },
      {
        $group: {
          _id: '$listing',
          alertCount: { $sum: 1 },
          scoreSum: { $sum: '$score' },
          usdcSum: { $sum: '$usdc' },
          latestId: { $max: '$_id' },
        },
      },
    ])
    .hint(WALK_INDEX);
  return withMarkets({ listings }, sums);
}

/** What was grouped by listing, with the market of each. */
async function withMarkets<Group extends { readonly _id: string }>(
  { listings }: Pick<Models, 'listings'>,
  groups: readonly Group[],
): Promise<(Omit<Group, '_id'> & { marketId: string })[]> {
  const ids = groups.map(({ _id }) => _id);
  const listed = await listings.find({ _id: { $in: ids } }, { marketId: 1 }).lean();
  const markets = new Map(listed.map(({ _id, marketId }) => [_id, marketId]));
  return groups.map(({ _id, ...group }) => ({ ...group, marketId: markets.get(_id) ?? '' }));
}
