import type { Model } from 'mongoose';
import pLimit from 'p-limit';
import type { Side } from '../../core/trade.ts';
import {
  blocksOf,
  type Criteria,
  type IdRange,
  type MarketOutcome,
  type MatchCounts,
} from '../database/archive-queries.ts';
import type { AlertDocument } from './alert-model.ts';
import { chooseCountIndex, resultIndex, toFilter } from './choose-index.ts';

/** Blocks counted concurrently: the server has more than one core, and serves other callers. */
const AT_ONCE = 4;

type Alerts = Model<AlertDocument>;

/** Alerts that an index selects are counted in one query when they are few, otherwise block by block. */
export async function countBlocks(
  alerts: Alerts,
  criteria: Criteria<string>,
  range: IdRange,
  blockSize: number,
): Promise<number[]> {
  const blocks = blocksOf(range, blockSize);
  const { index, isNarrow } = await chooseCountIndex(alerts, criteria, range);
  if (!isNarrow || blocks.length === 1) {
    return pLimit(AT_ONCE).map(blocks, async (block) =>
      alerts.countDocuments(toFilter(criteria, block)).hint(index),
    );
  }
  const previous = { $subtract: ['$_id', 1] };
  const groups = await alerts
    .aggregate<{ _id: number; count: number }>([
      { $match: toFilter(criteria, range) },
      { $group: { _id: { $subtract: [previous, { $mod: [previous, blockSize] }] }, count: { $sum: 1 } } },
    ])
    .hint(index);
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  return blocks.map(({ after }) => counts.get(after - (after % blockSize)) ?? 0);
}

export function countMatches(
  alerts: Alerts,
  criteria: Criteria<string>,
  ranges: readonly IdRange[],
): Promise<MatchCounts[]> {
  const index = resultIndex(criteria);
  return pLimit(AT_ONCE).map(ranges, async (range) => {
    const groups = await alerts
      .aggregate<ResultGroup>([
        { $match: toFilter(criteria, range) },
        {
          $group: {
            _id: { side: '$side', won: '$resolution.won' },
            count: { $sum: 1 },
            prices: { $sum: '$entryPrice' },
          },
        },
      ])
      .hint(index);
    return groups.reduce(added, { count: 0, resolved: 0, won: 0, entrySum: 0 });
  });
}

/** The resolved alerts of each listing. */
export function outcomesByListing(
  alerts: Alerts,
  criteria: Criteria<string>,
  range: IdRange,
): Promise<ListingOutcome[]> {
  const isRight = { $cond: ['$resolution.won', 1, 0] };
  const entry = { $cond: [{ $eq: ['$side', 'BUY'] }, '$entryPrice', { $subtract: [1, '$entryPrice'] }] };
  return alerts
    .aggregate<ListingOutcome>([
      { $match: { $and: [toFilter(criteria, range), { isResolved: true }] } },
      {
        $group: {
          _id: '$listing',
          resolved: { $sum: 1 },
          won: { $sum: isRight },
          entrySum: { $sum: entry },
        },
      },
    ])
    .hint(resultIndex(criteria))
    .exec();
}

type ListingOutcome = Omit<MarketOutcome, 'marketId'> & { readonly _id: string };

/** The alerts of one side and outcome; `won` is absent while unresolved. */
interface ResultGroup {
  readonly _id: { readonly side: Side; readonly won?: boolean | null };
  readonly count: number;
  readonly prices: number;
}

/** Of many SELLs too the entries are 1 − price each. */
function added(counts: MatchCounts, { _id: { side, won }, count, prices }: ResultGroup): MatchCounts {
  const all = { ...counts, count: counts.count + count };
  if (typeof won !== 'boolean') return all;
  return {
    ...all,
    resolved: counts.resolved + count,
    won: counts.won + (won ? count : 0),
    entrySum: counts.entrySum + (side === 'BUY' ? prices : count - prices),
  };
}
