import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type ArchiveQueries,
  blocksOf,
  type Criteria,
  type IdRange,
  type MarketGroup,
  type MarketOutcome,
  type MatchCounts,
  type TextMatch,
} from '../database/archive-queries.ts';
import { RESOLUTIONS, resolutionTotals } from '../stores/resolution-store.ts';
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-row.ts';
import { prepareQuery, type Query } from './connection.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** Up to this share of all listings their index leads to the newest matches sooner than a walk over all alerts. */
const RARE_SHARE = 0.03;
/** Up to this share it counts them sooner: it holds all that a filter looks at. */
const COUNTED_SHARE = 0.5;
/** So many alerts are looked at as quickly as a few listings. */
const FEW = 20_000;
const WALK = 'alert_facets NOT INDEXED';

export function createSqliteArchiveQueries(db: DatabaseSync): ArchiveQueries<number> {
  const query = createQueries(db);
  const resolutions = new SqliteCollection(db, RESOLUTIONS);
  return {
    lastId: () => query<{ id: number | null }>('SELECT MAX(id) AS id FROM alerts').get()?.id ?? 0,
    lastIdBefore(at) {
      const order = 'ORDER BY created_at DESC, id DESC LIMIT 1';
      return (
        query<{ id: number }>(`SELECT id FROM alert_facets WHERE created_at < ? ${order}`).get(at)?.id ?? 0
      );
    },
    matchText: createTextMatcher(db),
    counts: (criteria, range, blockSize) => counts(query, criteria, blocksOf(range, blockSize), blockSize),
    ids(criteria, range, { skip, limit }) {
      const { where, values } = toConditions(criteria, range);
      const source = facets(criteria, range.upto - range.after > FEW ? COUNTED_SHARE : RARE_SHARE);
      const sql = `SELECT id FROM ${source} WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
      const rows = query<{ id: number }>(sql).all(...values, limit, skip);
      return rows.map(({ id }) => id);
    },
    matchCounts(criteria, ranges) {
      const source = facets(criteria, COUNTED_SHARE);
      return ranges.flatMap((range) => {
        const { where, values } = toConditions(criteria, range);
        const sql = `SELECT COUNT(*) AS count, COUNT(won) AS resolved, TOTAL(won) AS won,
          TOTAL(CASE WHEN won IS NOT NULL THEN entry END) AS entrySum FROM ${source} WHERE ${where}`;
        return query<MatchCounts>(sql).get(...values) ?? [];
      });
    },
    outcomes(criteria, range) {
      const { where, values } = toConditions(criteria, range);
      const sql = `SELECT market_id AS marketId, resolved, won, entrySum FROM (
          SELECT listing, COUNT(*) AS resolved, TOTAL(won) AS won, TOTAL(entry) AS entrySum
          FROM ${facets(criteria, COUNTED_SHARE)} WHERE ${where} AND won IS NOT NULL GROUP BY listing
        ) JOIN listings ON listings.id = listing`;
      return query<MarketOutcome>(sql).all(...values);
    },
    load(ids) {
      const sql = `SELECT ${ALERT_COLUMNS} FROM alerts WHERE id IN (SELECT value FROM json_each(?))`;
      return query<AlertRow>(sql).all(JSON.stringify(ids)).map(toAlert);
    },
    ...createFigures(query),
    resolutionTotals: () => resolutionTotals(resolutions),
  };
}

function createFigures(query: Prepare): Pick<ArchiveQueries<number>, 'groups' | 'summary'> {
  return {
    groups(range, category) {
      const { where, values } = toConditions(category === undefined ? {} : { categories: [category] }, range);
      const sql = `SELECT market_id AS marketId, alertCount, scoreSum, usdcSum, latestId FROM (
          SELECT listing, COUNT(*) AS alertCount, SUM(score) AS scoreSum, SUM(usdc) AS usdcSum, MAX(id) AS latestId
          FROM alert_facets NOT INDEXED WHERE ${where} GROUP BY listing
        ) JOIN listings ON listings.id = listing`;
      return query<MarketGroup>(sql).all(...values);
    },
    summary({ after, upto }) {
      const sql = `SELECT TOTAL(score) AS scoreSum, TOTAL(type = 'cluster') AS clusters
        FROM alert_facets WHERE id > ? AND id <= ?`;
      return (
        query<{ scoreSum: number; clusters: number }>(sql).get(after, upto) ?? { scoreSum: 0, clusters: 0 }
      );
    },
  };
}

type Prepare = <Row>(sql: string) => Query<Row>;

/** The text of a statement depends only on which filters are set, so that there are not many. */
function createQueries(db: DatabaseSync): Prepare {
  const prepared = new Map<string, Query<unknown>>();
  return <Row>(sql: string): Query<Row> => {
    const query = prepared.get(sql) ?? prepareQuery<unknown>(db, sql);
    prepared.set(sql, query);
    return query as Query<Row>;
  };
}

/** Along the rows block by block; along the index of the listings, which are many for a block, in one go. */
function counts(
  query: Prepare,
  criteria: Criteria<number>,
  blocks: readonly IdRange[],
  blockSize: number,
): number[] {
  const source = facets(criteria, COUNTED_SHARE);
  const count = (columns: string, range: IdRange, rest = '') => {
    const { where, values } = toConditions(criteria, range);
    const sql = `SELECT ${columns}, COUNT(*) AS n FROM ${source} WHERE ${where} ${rest}`;
    return query<{ block: number; n: number }>(sql).all(...values);
  };
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (source === WALK || first === undefined || last === undefined) {
    return blocks.map((block) => count('0 AS block', block)[0]?.n ?? 0);
  }
  const groups = count(
    `(id - 1) / ${blockSize} AS block`,
    { after: first.after, upto: last.upto },
    'GROUP BY block',
  );
  const found = new Map(groups.map(({ block, n }) => [block, n]));
  return blocks.map(({ after }) => found.get(Math.floor(after / blockSize)) ?? 0);
}

/** Where rows are read from: along the index of the listings, or all of them in the order of their ids. */
function facets({ text }: Criteria<number>, shareMax: number): string {
  if (text === undefined || text.share > shareMax) return WALK;
  if (text.wallet !== null) return 'alert_facets';
  return 'alert_facets INDEXED BY alert_facets_by_listing';
}

/** `instr` takes the text as it is: no pattern, nothing to escape. */
function createTextMatcher(db: DatabaseSync): (text: string) => TextMatch<number> {
  const matching = prepareQuery<{ id: number }>(
    db,
    'SELECT id FROM listings WHERE instr(title_lower, ?) > 0 OR instr(slug_lower, ?) > 0',
  );
  const listingCount = prepareQuery<{ n: number }>(db, 'SELECT COUNT(*) AS n FROM listings');
  const ofWallet = prepareQuery<object>(db, 'SELECT 1 FROM alerts WHERE wallet = ? LIMIT 1');
  return (text) => {
    const listings = matching.all(text, text).map(({ id }) => id);
    const share = listings.length <= 1 ? 0 : listings.length / (listingCount.get()?.n ?? 1);
    return { wallet: ofWallet.get(text) === undefined ? null : text, listings, share };
  };
}

/** What a row of `alert_facets` must fulfil. */
function toConditions(criteria: Criteria<number>, { after, upto }: IdRange) {
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
