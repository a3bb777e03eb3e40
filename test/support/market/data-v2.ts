import {
  type Answer,
  BadQuery,
  listIn,
  numberIn,
  ok,
  type Route,
  type RouteDeps,
  refuseUnknown,
  refuseUnstated,
  walletIn,
} from './answer.ts';
import type { Faults } from './faults.ts';
import { payoutsOf } from './gamma.ts';
import { golden } from './golden.ts';
import type { TapeMarket, TapeTrade } from './market-tape.ts';
import type { MarketView } from './market-view.ts';

/** The origin never says that it is quicker. */
const LEAST_LAG_S = 2;
const IDS_MOST = 20;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const STATS = golden('data-v2-user-stats').data;
const STATUS = golden('data-v2-status').data;
const [OPEN] = golden('data-v2-resolutions-open').data;
const [RESOLVED] = golden('data-v2-resolutions-resolved').data;

/**
 * The Data API, version 2, in the captured shapes, whose fields of no use here have the captured values. Assumed, as the
 * document leaves it open: a parameter it does not know is a 400 (so that a misspelt one is noticed), but for names with
 * `_` in front, which break caches. A parameter with a default that a request does not state is refused too.
 */
export const DATA_V2: Readonly<Record<string, Route>> = {
  '/v2/trades': trades,
  '/v2/activity': activity,
  '/v2/user-stats': userStats,
  '/v2/resolutions': resolutions,
  '/v2/status': status,
};

function userStats(query: URLSearchParams, { view }: RouteDeps): Answer {
  refuseUnknown(query, ['user']);
  const user = walletIn(query, 'user');
  const wallet = view.wallet(user);
  if (wallet === null) return ok({ data: null });
  const known = view.tape.wallets.get(user);
  const isUndated = known !== undefined && known.createdAt === null;
  const joined = known?.createdAt == null ? wallet.since : Math.floor(Date.parse(known.createdAt) / 1_000);
  return ok({
    data: { ...STATS, proxy_wallet: user, trades: wallet.markets, join_date: isUndated ? null : joined },
  });
}

function resolutions(query: URLSearchParams, { view }: RouteDeps): Answer {
  refuseUnknown(query, ['condition']);
  const ids = listIn(query, 'condition', IDS_MOST);
  const bad = ids.find((id) => !CONDITION.test(id));
  // As captured on 2026-10-05: one id of 62 digits, and the whole request is refused.
  if (bad !== undefined) throw new BadQuery('condition', `invalid resolution condition id: ${bad}`);
  const rows = ids.map((id) => view.market(id));
  return ok({ data: rows.filter((market) => market !== null).map(resolutionRow) });
}

function resolutionRow(market: TapeMarket) {
  const payouts = payoutsOf(market);
  const row = { condition_id: market.conditionId };
  if (payouts !== null)
    return {
      ...{ ...RESOLVED, ...row },
      payouts: payouts.map((payout) => payout * 1_000_000),
    };
  const isProposed = market['umaResolutionStatus'] === 'proposed';
  return { ...OPEN, ...row, status: isProposed ? 'proposed' : 'initialized' };
}

/** The age of the global list at its origin; a cache in front of it is ignored. */
function status(query: URLSearchParams, { view }: RouteDeps): Answer {
  refuseUnknown(query, []);
  const lag = Math.max(LEAST_LAG_S, Math.floor((view.now() - view.listedUntil()) / 1_000));
  return ok({ data: { ...STATUS, age_seconds: 1, serving: { ...STATUS.serving, lag_seconds: lag } } });
}

const LIMIT_MOST = 1_000;
const THREE_YEARS_S = 3 * 366 * 86_400;
const DAY_S = 86_400;

type AnyRow = Readonly<Record<string, unknown>>;

/** Newest first. Bounds are honoured with a user only; the global list reaches back over this month and the one before. */
function trades(query: URLSearchParams, deps: RouteDeps): Answer {
  const filters = ['user', 'taker_only', 'filter_type', 'filter_amount', 'start', 'end'];
  refuseUnknown(query, [...filters, 'limit', 'cursor']);
  refuseUnstated(query, ['limit', 'taker_only', 'filter_type', 'filter_amount']);
  if (query.has('user')) refuseUnstated(query, ['start', 'end']);
  const { view } = deps;
  const user = query.has('user') ? walletIn(query, 'user') : null;
  const below = numberIn(query, 'cursor') ?? Number.POSITIVE_INFINITY;
  const isTakerOnly = query.get('taker_only') !== 'false';
  const accept = (index: number) => !isTakerOnly || view.roleOf(index) === 'taker';
  const window = user === null ? sharedWindow(view.now()) : userWindow(query, view.now());
  return pageOf(query, deps, (limit) => {
    const found = view.list({ user, ...window, below, limit, accept });
    return { found, toRow: tradeRow(deps, user !== null) };
  });
}

/** What a wallet did: here its trades only, oldest first. */
function activity(query: URLSearchParams, deps: RouteDeps): Answer {
  const stated = [
    'type',
    'exclude_deposits_withdrawals',
    'start',
    'end',
    'sort_by',
    'sort_direction',
    'limit',
  ];
  refuseUnknown(query, ['user', ...stated]);
  refuseUnstated(query, stated);
  const { view } = deps;
  const user = walletIn(query, 'user');
  const window = userWindow(query, view.now());
  return pageOf(query, deps, (limit) => {
    const newestFirst = view.list({ user, ...window, limit: Number.MAX_SAFE_INTEGER });
    const found = query.get('sort_direction') === 'ASC' ? newestFirst.toReversed() : newestFirst;
    return { found: found.slice(0, limit), toRow: activityRow(deps) };
  });
}

/** Without a start three years, with 1 all; without an end a day from now. */
function userWindow(query: URLSearchParams, nowMs: number): { start: number; end: number } {
  const now = Math.floor(nowMs / 1_000);
  return {
    start: numberIn(query, 'start') || now - THREE_YEARS_S,
    end: numberIn(query, 'end') || now + DAY_S,
  };
}

function sharedWindow(nowMs: number): { start: number; end: null } {
  const now = new Date(nowMs);
  return { start: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1) / 1_000, end: null };
}

interface Found {
  readonly found: readonly number[];
  readonly toRow: (index: number) => AnyRow;
}

/** A page of what `find` finds, which is asked for one more than a page: the cursor is the last of its trades. */
function pageOf(query: URLSearchParams, deps: RouteDeps, find: (limit: number) => Found): Answer {
  const limit = numberIn(query, 'limit') ?? 100;
  if (limit < 1 || limit > LIMIT_MOST) throw new BadQuery('limit', `limit must be at most ${LIMIT_MOST}`);
  const { found, toRow } = find(limit + 1);
  const indices = found.slice(0, limit);
  const hasMore = found.length > limit;
  return ok({
    data: pageRows(indices, deps, toRow),
    pagination: {
      ...{ limit, offset: 0, has_more: hasMore },
      next_cursor: hasMore ? String(indices.at(-1)) : null,
    },
  });
}

/** A wallet's rows are labelled some time after they are listed. */
const UNLABELLED_MS = 60_000;
const UNKNOWN_INDEX = 999;
const TRADE_ROW: AnyRow = golden('data-v2-trades').data[0];
const ACTIVITY_ROW: AnyRow = golden('data-v2-activity').data[0];

function tradeRow(deps: RouteDeps, isOfWallet: boolean) {
  return (index: number): AnyRow => {
    const trade = deps.view.tape.trade(index);
    return {
      ...TRADE_ROW,
      proxy_wallet: trade.proxyWallet,
      side: trade.side,
      token_id: trade.asset,
      condition_id: trade.conditionId,
      size: trade.size,
      price: trade.price,
      timestamp: trade.timestamp,
      transaction_hash: trade.transactionHash,
      // As long as those of the market: what they cost is measured.
      icon: `https://images.example/markets/${trade.slug}-${trade.conditionId.slice(2, 12)}.png`,
      name: `${trade.proxyWallet}-${Number.parseInt(trade.proxyWallet.slice(-12), 16)}`,
      ...labelsOf(trade, deps, isOfWallet),
      ...(trade.is_combo === true && { is_combo: true }),
    };
  };
}

function activityRow(deps: RouteDeps) {
  const toTradeRow = tradeRow(deps, true);
  return (index: number): AnyRow => {
    const { size, price } = deps.view.tape.trade(index);
    return { ...ACTIVITY_ROW, ...toTradeRow(index), usdc_size: Math.round(size * price * 1e6) / 1e6 };
  };
}

function labelsOf(trade: TapeTrade, { view, profile }: RouteDeps, isOfWallet: boolean) {
  const isYoung = view.now() - trade.timestamp * 1_000 < UNLABELLED_MS;
  const isUnlabelled = profile.labels === 'captured' && (!isOfWallet || isYoung);
  const { title, slug, outcome, eventSlug, outcomeIndex } = trade;
  return {
    ...{ title, slug, outcome },
    ...(isUnlabelled
      ? { event_slug: '', outcome_index: UNKNOWN_INDEX }
      : { event_slug: eventSlug, outcome_index: outcomeIndex }),
  };
}

/** The rows of one page, with what goes wrong in them. */
function pageRows(
  indices: readonly number[],
  { view, faults }: RouteDeps,
  toRow: (index: number) => AnyRow,
): readonly AnyRow[] {
  let listed = [...indices];
  if (listed.length > 0 && faults.strikes('repeat')) listed = repeated(listed, view);
  if (faults.strikes('shuffle')) listed = shuffled(listed, faults);
  const rows = listed.map(toRow);
  if (rows.length === 0 || !faults.strikes('drop-field')) return rows;
  const hurt = Math.floor(faults.random() * rows.length);
  return rows.map((row, place) => (place === hurt ? without(row, faults) : row));
}

/** The row just newer than the page, which the page before ended with. Within a page each order is listed once. */
function repeated(listed: readonly number[], view: MarketView): number[] {
  const newer = (listed[0] as number) + 1;
  return newer < view.tape.count && view.isListed(newer) ? [newer, ...listed] : [...listed];
}

function shuffled(listed: readonly number[], faults: Faults): number[] {
  const mixed = [...listed];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(faults.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as number, mixed[last] as number];
  }
  return mixed;
}

function without(row: AnyRow, faults: Faults): AnyRow {
  const names = Object.keys(row);
  const gone = names[Math.floor(faults.random() * names.length)];
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== gone));
}
