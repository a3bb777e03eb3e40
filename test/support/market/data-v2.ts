import { type Answer, BadQuery, ok, type Query, type Route, type RouteDeps, walletIn } from './answer.ts';
import { payoutsOf } from './gamma.ts';
import type { TapeMarket, TapeTrade } from './market-tape.ts';
import { pageRows, rowV2 } from './trade-rows.ts';

const LIMIT_MOST = 1_000;
const IDS_MOST = 20;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const LEAST_AMOUNT = 0.01;
const THREE_YEARS_S = 3 * 366 * 86_400;
const FILTERS = [
  'user',
  'condition',
  'event_id',
  'side',
  'taker_only',
  'filter_type',
  'filter_amount',
  'start',
  'end',
];

/**
 * The Data API, version 2: an envelope, cursors, snake case. Assumed, as the document leaves it open: a parameter it
 * does not know is a 400 (so that a misspelt one is noticed), but for names with `_` in front, which break caches;
 * `next_cursor` is null on the last page; `offset` in the envelope is 0.
 */
export const DATA_V2: Readonly<Record<string, Route>> = {
  '/v2/trades': trades,
  '/v2/user-stats': userStats,
  '/v2/resolutions': resolutions,
  '/v2/status': status,
};

/** Where a walk stands: the trade it goes on below, what it was asked for, and its page size, which holds to its end. */
interface Cursor {
  readonly below: number;
  readonly filters: string;
  readonly limit: number;
}

function trades(query: Query, deps: RouteDeps): Answer {
  refuseUnknown(query, [...FILTERS, 'limit', 'cursor']);
  const filters = JSON.stringify(FILTERS.map((name) => givenAs(query, name)));
  const cursor = cursorOf(query.text('cursor'), filters);
  const limit = cursor?.limit ?? query.whole('limit', { min: 1, max: LIMIT_MOST, otherwise: 100 });
  const user = walletIn(query, 'user', false);
  const conditions = idsOf(query, 'condition', 'condition_id');
  if (idsOf(query, 'event_id').length > 0) throw new BadQuery('event_id', 'the stand-in knows no events');
  query.flag('taker_only', 'takerOnly');
  const below = cursor === null ? {} : { below: cursor.below };
  const window = windowOf(query, { user, conditions }, deps);
  const accept = acceptance(query);
  // One more than asked for tells whether there are more.
  const found = deps.view.list({ user, conditions, ...window, ...below, limit: limit + 1, accept });
  const indices = found.slice(0, limit);
  const next: Cursor = { below: indices.at(-1) ?? 0, filters, limit };
  const hasMore = found.length > limit;
  return ok({
    data: pageRows(indices, { ...deps, toRow: rowV2 }),
    pagination: {
      limit,
      offset: 0,
      has_more: hasMore,
      next_cursor: hasMore ? Buffer.from(JSON.stringify(next)).toString('base64url') : null,
    },
  });
}

/** Bounds are honoured with a user only; everyone's trades reach back over this month and the one before. */
function windowOf(
  query: Query,
  { user, conditions }: { user: string | null; conditions: readonly string[] },
  { view }: RouteDeps,
): { start: number; end: number | null } {
  const start = query.seconds('start');
  const end = query.seconds('end');
  const now = new Date(view.now());
  const threeYearsAgo = Math.floor(now.getTime() / 1_000) - THREE_YEARS_S;
  if (user !== null) return { start: start || threeYearsAgo, end: end || null };
  if (conditions.length > 0) return { start: threeYearsAgo, end: null };
  return { start: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1) / 1_000, end: null };
}

function acceptance(query: Query): (trade: TapeTrade) => boolean {
  const type = query.text('filter_type', 'filterType') ?? 'TOKENS';
  const amount = Math.max(LEAST_AMOUNT, query.number('filter_amount', 'filterAmount') ?? 0);
  const side = query.text('side');
  if (type !== 'CASH' && type !== 'TOKENS') throw new BadQuery('filter_type', 'must be CASH or TOKENS');
  if (side !== null && side !== 'BUY' && side !== 'SELL') throw new BadQuery('side', 'must be BUY or SELL');
  return (trade) =>
    (side === null || trade.side === side) && trade.size * (type === 'CASH' ? trade.price : 1) >= amount;
}

function userStats(query: Query, { view }: RouteDeps): Answer {
  refuseUnknown(query, ['user']);
  const user = walletIn(query, 'user', true) as string;
  const wallet = view.wallet(user);
  if (wallet === null) return ok({ data: null });
  const known = view.tape.wallets.get(user);
  const joined = known?.createdAt == null ? wallet.since : Math.floor(Date.parse(known.createdAt) / 1_000);
  return ok({
    data: {
      proxy_wallet: user,
      trades: wallet.markets,
      biggest_win: 0,
      views: 0,
      join_date: known !== undefined && known.createdAt === null ? null : joined,
      all_time_pnl: 0,
    },
  });
}

function resolutions(query: Query, { view }: RouteDeps): Answer {
  refuseUnknown(query, ['question_id', 'condition', 'event_id', 'limit', 'cursor']);
  const given = ['question_id', 'condition', 'event_id'].filter((name) => givenAs(query, name) !== null);
  if (given.length !== 1)
    throw new BadQuery('condition', 'exactly one of question_id, condition and event_id');
  const ids = idsOf(query, 'condition', 'condition_id');
  const bad = ids.find((id) => !CONDITION.test(id));
  // As captured on 2026-10-05: one id of 62 digits, and the whole request is refused.
  if (bad !== undefined) throw new BadQuery('condition', `invalid resolution condition id: ${bad}`);
  const rows = ids.map((id) => view.market(id));
  const data = rows.filter((market) => market !== null).map(resolutionRow);
  return ok({ data, pagination: { limit: 100, offset: 0, has_more: false, next_cursor: null } });
}

function resolutionRow(market: TapeMarket) {
  const payouts = payoutsOf(market);
  const isResolved = payouts !== null;
  return {
    condition_id: market.conditionId,
    status: isResolved ? 'resolved' : 'active',
    payouts: isResolved ? payouts.map((payout) => payout * 1_000_000) : null,
    resolved_at: isResolved ? new Date(market.at * 1_000).toISOString() : null,
    resolved_block: null,
    reporter: 'UMA_OO',
    resolution_source: 'reported',
    was_disputed: false,
    expected_settlement_time: null,
    last_update_timestamp: market.at,
  };
}

function status(query: Query, { view, faults }: RouteDeps): Answer {
  refuseUnknown(query, []);
  return ok({
    data: {
      serving: { lag_seconds: 2 + faults.lagMs() / 1_000, worst: 'activity_feed' },
      ingestion: { tail_block: 0, furthest_behind: [] },
      computed_at: new Date(view.now()).toISOString(),
      age_seconds: 1,
    },
  });
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function givenAs(query: Query, name: string): string | null {
  const list = query.list(name, name === 'condition' ? 'condition_id' : camel(name));
  return list.length === 0 ? null : list.join(',');
}

function idsOf(query: Query, name: string, otherName = camel(name)): readonly string[] {
  const ids = [...new Set(query.list(name, otherName))];
  if (ids.length > IDS_MOST) throw new BadQuery(name, `at most ${IDS_MOST}`);
  return ids;
}

function refuseUnknown(query: Query, known: readonly string[]): void {
  const names = new Set([...known, ...known.map(camel), 'condition_id', 'conditionId']);
  const unknown = query.names().find((name) => !names.has(name) && !name.startsWith('_'));
  if (unknown !== undefined) throw new BadQuery(unknown, `unknown parameter ${unknown}`);
}

function cursorOf(text: string | null, filters: string): Cursor | null {
  if (text === null) return null;
  let cursor: Partial<Cursor>;
  try {
    cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Cursor>;
  } catch {
    throw new BadQuery('cursor', 'no cursor of this service');
  }
  if (cursor.filters !== filters)
    throw new BadQuery('cursor', 'the cursor belongs to other filters; send the same with each page');
  return cursor as Cursor;
}
