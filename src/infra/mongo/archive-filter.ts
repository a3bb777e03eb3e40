import type { QueryFilter } from 'mongoose';
import type { Criteria, IdRange, TextMatch } from '../database/archive-queries.ts';
import type { AlertDocument } from './alert-model.ts';

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
