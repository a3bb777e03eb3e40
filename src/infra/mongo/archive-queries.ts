import type { QueryFilter } from 'mongoose';
import type {
  ArchiveQueries,
  Criteria,
  IdRange,
  MarketGroup,
  TextMatch,
} from '../database/archive-queries.ts';
import { type AlertDocument, TIME_INDEX, toAlert, WALK_INDEX, WALLET_INDEX } from './alert-model.ts';
import { chooseIndex, onlyIndex } from './choose-index.ts';
import type { Models } from './models.ts';
import { resolutionTotals } from './resolution-store.ts';

/** Up to this share of all listings an index over them beats a walk over all alerts. */
const RARE_SHARE = 0.03;
const PARTS = 4;
const MIN_PART = 50_000;

export function createMongoArchiveQueries(models: Models): ArchiveQueries<string> {
  const { alerts } = models;
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
    async count(criteria, range) {
      const index = onlyIndex(criteria) ?? (await chooseIndex(alerts, criteria, range));
      const parts = index === WALK_INDEX ? partsOf(range) : [range];
      const counts = parts.map((part) => alerts.countDocuments(toFilter(criteria, part)).hint(index));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    async ids(criteria, range, { skip, limit }) {
      if (limit === 0) return [];
      const index = await chooseIndex(alerts, criteria, range);
      const found = alerts.find(toFilter(criteria, range), { _id: 1 }).hint(index);
      return (await found.sort({ _id: -1 }).skip(skip).limit(limit).lean()).map(({ _id }) => _id);
    },
    load: async (ids) => (await alerts.find({ _id: { $in: ids } }).lean()).map(toAlert),
    groups: async (range, category) =>
      groups(models, toFilter(category === undefined ? {} : { category }, range)),
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
    resolutionTotals: () => resolutionTotals(models.resolutions),
  };
}

function toFilter(criteria: Criteria<string>, { after, upto }: IdRange): QueryFilter<AlertDocument> {
  const { minUsdc, minScore, text, ...equal } = criteria;
  const present = Object.entries(equal).filter(([, value]) => value !== undefined);
  return {
    _id: { $gt: after, $lte: upto },
    ...Object.fromEntries(present),
    ...(minUsdc === undefined ? {} : { usdc: { $gt: minUsdc } }),
    ...(minScore === undefined ? {} : { score: { $gte: minScore } }),
    ...(text === undefined ? {} : textFilter(text)),
  };
}

function textFilter({ wallet, listings }: TextMatch<string>): QueryFilter<AlertDocument> {
  const ofListings = { listing: { $in: [...listings] } };
  if (wallet === null) return ofListings;
  return listings.length === 0 ? { wallet } : { $or: [{ wallet }, ofListings] };
}

/** The server counts each part on its own, at the same time. */
function partsOf({ after, upto }: IdRange): IdRange[] {
  const size = Math.max(MIN_PART, Math.ceil((upto - after) / PARTS));
  const starts = Array.from({ length: Math.ceil((upto - after) / size) }, (_, index) => after + index * size);
  return starts.map((start) => ({ after: start, upto: Math.min(upto, start + size) }));
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
    isRare: matching.length <= 1 || matching.length <= listingCount * RARE_SHARE,
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
  const listed = await listings.find({ _id: { $in: sums.map(({ _id }) => _id) } }, { marketId: 1 }).lean();
  const markets = new Map(listed.map(({ _id, marketId }) => [_id, marketId]));
  return sums.map(({ _id, ...group }) => ({ ...group, marketId: markets.get(_id) ?? '' }));
}
