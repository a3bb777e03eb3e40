import type { SQLInputValue } from 'node:sqlite';
import type { Criteria, IdRange, TextMatch } from '../database/archive-queries.ts';

interface Conditions {
  readonly where: string;
  readonly values: SQLInputValue[];
}

/** What a row of `alert_facets` must fulfil. */
export function toConditions(criteria: Criteria<number>, { after, upto }: IdRange): Conditions {
  const { categories, side, type, minUsdc, minScore, isResolved, text } = criteria;
  const single: [string, SQLInputValue | undefined][] = [
    ['id > ?', after],
    ['id <= ?', upto],
    ['side = ?', side],
    ['type = ?', type],
    ['usdc > ?', minUsdc],
    ['score >= ?', minScore],
    ['is_resolved = ?', isResolved === undefined ? undefined : Number(isResolved)],
  ];
  const present = single.filter((part): part is [string, SQLInputValue] => part[1] !== undefined);
  const all: [string, ...SQLInputValue[]][] = [
    ...present,
    ...(categories === undefined ? [] : [categoryCondition(categories)]),
    ...(text === undefined ? [] : [textCondition(text)]),
  ];
  return { where: all.map(([sql]) => sql).join(' AND '), values: all.flatMap(([, ...values]) => values) };
}

function categoryCondition(categories: readonly string[]): [string, ...SQLInputValue[]] {
  const [only] = categories;
  if (categories.length === 1 && only !== undefined) return ['category = ?', only];
  return ['category IN (SELECT value FROM json_each(?))', JSON.stringify(categories)];
}

/** One listing is asked for by equality, so that its index already has the order of the ids. */
function textCondition({ wallet, listings }: TextMatch<number>): [string, ...SQLInputValue[]] {
  const ofWallet = 'id IN (SELECT id FROM alerts WHERE wallet = ?)';
  const ofListings = 'listing IN (SELECT value FROM json_each(?))';
  const [first = 0] = listings;
  if (wallet === null) {
    return listings.length === 1 ? ['listing = ?', first] : [ofListings, JSON.stringify(listings)];
  }
  if (listings.length === 0) return [ofWallet, wallet];
  return [`(${ofWallet} OR ${ofListings})`, wallet, JSON.stringify(listings)];
}
