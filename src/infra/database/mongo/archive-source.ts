import type { AlertType } from '../../../core/detection/candidate.ts';
import { entryOf } from '../../../core/record/win-rates.ts';
import type { Category, Side } from '../../../core/trades/trade.ts';
import type { ArchiveRow, ArchiveSource } from '../archive/archive-source.ts';
import { createResolutionStore } from '../stores/settlement-store.ts';
import {
  type AlertDocument,
  LISTING_INDEX,
  TIME_INDEX,
  toAlert,
  WALK_INDEX,
  WALLET_INDEX,
} from './alert-model.ts';
import type { Models } from './models.ts';
import { MongoCollection } from './mongo-collection.ts';

/** An array of each field, in the order of the ids: a third of the time that a document for each alert takes. */
const AS_COLUMNS = {
  _id: null,
  ids: { $push: '$_id' },
  listings: { $push: '$listing' },
  categories: { $push: '$category' },
  sides: { $push: '$side' },
  types: { $push: '$type' },
  scores: { $push: '$score' },
  usdc: { $push: '$usdc' },
  prices: { $push: '$entryPrice' },
  won: { $push: { $ifNull: ['$resolution.won', null] } },
};

interface Columns {
  readonly ids: readonly number[];
  readonly listings: readonly string[];
  readonly categories: readonly Category[];
  readonly sides: readonly Side[];
  readonly types: readonly AlertType[];
  readonly scores: readonly number[];
  readonly usdc: readonly number[];
  readonly prices: readonly number[];
  readonly won: readonly (boolean | null)[];
}

/** What is kept in memory is read as a majority has it, from indexes that hold all of its fields. */
export function createMongoArchiveSource({ alerts, listings }: Models): ArchiveSource {
  return {
    async lastId() {
      const last = alerts.find({}, { _id: 1 }).sort({ _id: -1 }).limit(1);
      return (await last.readConcern('majority').lean())[0]?._id ?? 0;
    },
    async lastIdBefore(at) {
      const earlier = alerts.find({ createdAt: { $lt: at } }, { _id: 1 }).hint(TIME_INDEX);
      const last = earlier.sort({ createdAt: -1, _id: -1 }).limit(1);
      return (await last.readConcern('majority').lean())[0]?._id ?? 0;
    },
    concurrency: 4,
    async rows({ after, upto }) {
      const [columns] = await alerts
        .aggregate<Columns>([
          { $match: { _id: { $gt: after, $lte: upto } } },
          { $sort: { _id: 1 } },
          { $group: AS_COLUMNS },
        ])
        .hint(WALK_INDEX)
        .readConcern('majority');
      return columns === undefined ? [] : toRows(columns);
    },
    async listings(keys) {
      const found = await listings.find({ _id: { $in: keys as string[] } }).lean();
      return found.map(({ _id, marketId, titleLower, slugLower }) => ({
        key: _id,
        marketId,
        title: titleLower,
        slug: slugLower,
      }));
    },
    async outcomes(keys) {
      const resolved = { listing: { $in: keys as string[] }, isResolved: true };
      const found = alerts.find(resolved, { 'resolution.won': 1, _id: 1 }).hint(LISTING_INDEX);
      const outcomes = await found
        .readConcern('majority')
        .lean<Pick<AlertDocument, '_id' | 'resolution'>[]>();
      return outcomes.map(({ _id, resolution }) => ({ id: _id, won: resolution?.won === true }));
    },
    async ofWallet(wallet) {
      const query = alerts.find({ wallet }, { _id: 1 }).sort({ _id: 1 }).hint(WALLET_INDEX);
      return (await query.lean()).map(({ _id }) => _id);
    },
    ...createReportReads({ alerts, listings }),
    load: async (ids) => (await alerts.find({ _id: { $in: [...ids] } }).lean()).map(toAlert),
    resolutions: createResolutionStore((declaration) => new MongoCollection(alerts.db, declaration)),
  };
}

/** What reports read, beside the alerts of a wallet. */
function createReportReads({
  alerts,
  listings,
}: Pick<Models, 'alerts' | 'listings'>): Pick<ArchiveSource, 'ofMarket' | 'members'> {
  return {
    async ofMarket(marketId) {
      const listed = await listings.distinct('_id', { marketId });
      const found = alerts.find({ listing: { $in: listed } }, { _id: 1 }).hint(LISTING_INDEX);
      return (await found.lean()).map(({ _id }) => _id).sort((a, b) => a - b);
    },
    async members({ after, upto }) {
      const clusters = { _id: { $gt: after, $lte: upto }, type: 'cluster' } as const;
      const query = alerts.find(clusters, { 'details.wallets': 1 }).hint(WALK_INDEX).readConcern('majority');
      const found = await query.lean<Pick<AlertDocument, '_id' | 'details'>[]>();
      return found.map(({ _id, details }) => ({ id: _id, wallets: details?.wallets ?? [] }));
    },
  };
}

function toRows(columns: Columns): ArchiveRow[] {
  const { ids, listings, categories, sides, types, scores, usdc, prices, won } = columns;
  // A field that an alert lacks would move the others.
  if (Object.values(columns).some((column) => Array.isArray(column) && column.length !== ids.length))
    throw new Error(`MongoDB: an alert between ${ids[0]} and ${ids.at(-1)} lacks a field`);
  return ids.map((id, index) => ({
    id,
    listing: listings[index] as string,
    category: categories[index] as Category,
    side: sides[index] as Side,
    type: types[index] as AlertType,
    score: scores[index] as number,
    usdc: usdc[index] as number,
    entry: entryOf({ side: sides[index] as Side, entryPrice: prices[index] as number }),
    won: won[index] ?? null,
  }));
}
