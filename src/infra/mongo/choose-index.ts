import type { Model, QueryFilter } from 'mongoose';
import type { Criteria, IdRange, TextMatch } from '../database/archive-queries.ts';
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

/** Up to this number of alerts reading all of them costs no more than an index. */
const FEW = 20_000;
/** Up to this number of matches their index is faster than a walk over all alerts. */
const NARROW = 60_000;
/** Up to this share of all listings their index leads to the newest matches sooner than a walk over all alerts. */
const RARE_SHARE = 0.03;
/** Up to this share it does so where there are many alerts. */
const LISTED_SHARE = 0.5;

/** An index, and whether it selects a small part of the alerts. */
export interface Choice {
  readonly index: Index;
  readonly isNarrow: boolean;
}

interface IndexCandidate {
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
): Promise<Choice> {
  const hasMany = upto - after > FEW;
  const ofText = textIndex(criteria, hasMany ? LISTED_SHARE : RARE_SHARE);
  if (ofText !== null) return { index: ofText, isNarrow: true };
  if (!hasMany) return { index: WALK_INDEX, isNarrow: false };
  const counted = await Promise.all(
    candidates(criteria).map(async ({ index, filter }) => ({
      index,
      count: await alerts.countDocuments(filter, { limit: NARROW }).hint(index),
    })),
  );
  const [fewest] = counted.toSorted((a, b) => a.count - b.count);
  if (fewest !== undefined && fewest.count < NARROW) return { index: fewest.index, isNarrow: true };
  return { index: criteria.categories?.length === 1 ? CATEGORY_INDEX : WALK_INDEX, isNarrow: false };
}

/** As `chooseIndex`, to count: where one thing alone is asked for, its index leads to nothing but matches. */
export async function chooseCountIndex(
  alerts: Model<AlertDocument>,
  criteria: Criteria<string>,
  range: IdRange,
): Promise<Choice> {
  const [only] = candidates(criteria);
  const isAlone = Object.values(criteria).filter((value) => value !== undefined).length === 1;
  if (only !== undefined && isAlone && range.upto - range.after > FEW)
    return { index: only.index, isNarrow: true };
  return chooseIndex(alerts, criteria, range);
}

/** The index that sums up what became of a filter's matches: it must hold that too. */
export function resultIndex(criteria: Criteria<string>): Index {
  return textIndex(criteria, LISTED_SHARE) ?? WALK_INDEX;
}

function textIndex({ text }: Criteria<string>, shareMax: number): Index | null {
  if (text === undefined) return null;
  if (text.wallet !== null) return text.listings.length === 0 ? WALLET_INDEX : null;
  return text.share <= shareMax ? LISTING_INDEX : null;
}

function candidates({ minScore, minUsdc, isResolved }: Criteria<string>): IndexCandidate[] {
  return [
    ...(minScore === undefined ? [] : [{ index: SCORE_INDEX, filter: { score: { $gte: minScore } } }]),
    ...(minUsdc === undefined ? [] : [{ index: USDC_INDEX, filter: { usdc: { $gt: minUsdc } } }]),
    ...(isResolved === undefined ? [] : [{ index: RESOLVED_INDEX, filter: { isResolved } }]),
  ];
}

/** What a document of an alert must fulfil. */
export function toFilter(criteria: Criteria<string>, { after, upto }: IdRange): QueryFilter<AlertDocument> {
  const { minUsdc, minScore, text, categories, ...equal } = criteria;
  const present = Object.entries(equal).filter(([, value]) => value !== undefined);
  return {
    _id: { $gt: after, $lte: upto },
    ...Object.fromEntries(present),
    ...(categories === undefined ? {} : { category: anyOf(categories) }),
    ...(minUsdc === undefined ? {} : { usdc: { $gt: minUsdc } }),
    ...(minScore === undefined ? {} : { score: { $gte: minScore } }),
    ...(text === undefined ? {} : textFilter(text)),
  };
}

/** One value is asked for by equality, so that an index it leads has the order of the ids. */
function anyOf<T>(values: readonly T[]): T | { $in: T[] } {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { $in: [...values] };
}

function textFilter({ wallet, listings }: TextMatch<string>): QueryFilter<AlertDocument> {
  const ofListings = { listing: anyOf(listings) };
  if (wallet === null) return ofListings;
  return listings.length === 0 ? { wallet } : { $or: [{ wallet }, ofListings] };
}
