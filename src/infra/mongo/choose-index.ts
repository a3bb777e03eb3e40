import type { Model, QueryFilter } from 'mongoose';
import type { Criteria, IdRange } from '../database/archive-queries.ts';
import {
  type AlertDocument,
  CATEGORY_INDEX,
  LISTING_INDEX,
  RESOLVED_INDEX,
  SCORE_INDEX,
  USDC_INDEX,
  WALK_INDEX,
  WALLET_INDEX,
} from './alert-model.ts';

type Index = Readonly<Record<string, 1>>;

/** Up to so many alerts it is as well to look at all of them. */
const FEW = 20_000;

interface Candidate {
  readonly index: Index;
  readonly filter: QueryFilter<AlertDocument>;
}

/**
 * The index that leads to a filter's matches by looking at the fewest alerts. It is chosen here, because the server
 * remembers its choice for a kind of filter, whatever the bounds in it are.
 */
export async function chooseIndex(
  alerts: Model<AlertDocument>,
  criteria: Criteria<string>,
  { after, upto }: IdRange,
): Promise<Index> {
  const { category, text } = criteria;
  if (text !== undefined && text.wallet !== null)
    return text.listings.length === 0 ? WALLET_INDEX : WALK_INDEX;
  if (text?.isRare === true) return LISTING_INDEX;
  if (upto - after <= FEW) return WALK_INDEX;
  const counted = await Promise.all(
    candidates(criteria).map(async ({ index, filter }) => ({
      index,
      count: await alerts.countDocuments(filter, { limit: FEW }).hint(index),
    })),
  );
  const [fewest] = counted.toSorted((a, b) => a.count - b.count);
  if (fewest !== undefined && fewest.count < FEW) return fewest.index;
  return category === undefined ? WALK_INDEX : CATEGORY_INDEX;
}

/** Where one thing alone is asked for, its index counts the matches without looking at anything else. */
export function onlyIndex(criteria: Criteria<string>): Index | null {
  const { category, ...others } = criteria;
  const [only] = candidates(others);
  const set = Object.values(criteria).filter((value) => value !== undefined).length;
  if (set !== 1) return null;
  return category === undefined ? (only?.index ?? null) : CATEGORY_INDEX;
}

function candidates({ minScore, minUsdc, isResolved }: Criteria<string>): Candidate[] {
  return [
    ...(minScore === undefined ? [] : [{ index: SCORE_INDEX, filter: { score: { $gte: minScore } } }]),
    ...(minUsdc === undefined ? [] : [{ index: USDC_INDEX, filter: { usdc: { $gt: minUsdc } } }]),
    ...(isResolved === undefined ? [] : [{ index: RESOLVED_INDEX, filter: { isResolved } }]),
  ];
}
