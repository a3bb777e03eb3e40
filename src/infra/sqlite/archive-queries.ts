import type { DatabaseSync } from 'node:sqlite';
import type { ArchiveQueries, Criteria, MarketGroup, TextMatch } from '../database/archive-queries.ts';
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-row.ts';
import { toConditions } from './conditions.ts';
import { prepareQuery, type Query } from './connection.ts';
import { prepareResolutionTotals } from './resolution-store.ts';

/** Up to this share of all listings an index over them beats a walk over all alerts. */
const RARE_SHARE = 0.03;

export function createSqliteArchiveQueries(db: DatabaseSync): ArchiveQueries<number> {
  const query = createQueries(db);
  return {
    lastId: () => query<{ id: number | null }>('SELECT MAX(id) AS id FROM alerts').get()?.id ?? 0,
    lastIdBefore(at) {
      const order = 'ORDER BY created_at DESC, id DESC LIMIT 1';
      return (
        query<{ id: number }>(`SELECT id FROM alert_facets WHERE created_at < ? ${order}`).get(at)?.id ?? 0
      );
    },
    matchText: createTextMatcher(db),
    count(criteria, range) {
      const { where, values } = toConditions(criteria, range);
      const sql = `SELECT COUNT(*) AS n FROM ${facets(criteria)} WHERE ${where}`;
      return query<{ n: number }>(sql).get(...values)?.n ?? 0;
    },
    ids(criteria, range, { skip, limit }) {
      const { where, values } = toConditions(criteria, range);
      const sql = `SELECT id FROM ${facets(criteria)} WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
      const rows = query<{ id: number }>(sql).all(...values, limit, skip);
      return rows.map(({ id }) => id);
    },
    load(ids) {
      const sql = `SELECT ${ALERT_COLUMNS} FROM alerts WHERE id IN (SELECT value FROM json_each(?))`;
      return query<AlertRow>(sql).all(JSON.stringify(ids)).map(toAlert);
    },
    groups(range, category) {
      const { where, values } = toConditions(category === undefined ? {} : { category }, range);
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
    resolutionTotals: prepareResolutionTotals(db),
  };
}

/** The text of a statement depends only on which filters are set, so that there are not many. */
function createQueries(db: DatabaseSync) {
  const prepared = new Map<string, Query<unknown>>();
  return <Row>(sql: string): Query<Row> => {
    const query = prepared.get(sql) ?? prepareQuery<unknown>(db, sql);
    prepared.set(sql, query);
    return query as Query<Row>;
  };
}

function facets({ text }: Criteria<number>): string {
  return text === undefined || text.isRare ? 'alert_facets' : 'alert_facets NOT INDEXED';
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
    const isRare = listings.length <= 1 || listings.length <= (listingCount.get()?.n ?? 0) * RARE_SHARE;
    return { wallet: ofWallet.get(text) === undefined ? null : text, listings, isRare };
  };
}
