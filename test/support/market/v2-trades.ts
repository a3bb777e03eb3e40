import {
  type Answer,
  BadQuery,
  idsOf,
  type Query,
  type RouteDeps,
  refuseUnknown,
  sharedWindow,
  userWindow,
  walkOf,
  walletIn,
} from './answer.ts';
import type { TapeTrade } from './market-tape.ts';
import { activityRow, pageRows, tradeRow } from './trade-rows.ts';

/** The default of `filter_amount`, in tokens or in USDC; a smaller one is taken as this, since nothing smaller was ever seen listed. */
export const LEAST_AMOUNT = 0.01;
const TRADE_FILTERS = [
  ...['user', 'condition', 'event_id', 'side', 'taker_only', 'filter_type', 'filter_amount', 'start', 'end'],
];
const ACTIVITY_FILTERS = [
  ...['user', 'condition', 'event_id', 'side', 'type', 'start', 'end', 'sort_direction'],
  'exclude_deposits_withdrawals',
];

type Accept = (trade: TapeTrade, index: number) => boolean;

/** Newest first. Bounds are honoured with a user only; the global list reaches back over this month and the one before. */
export function trades(query: Query, deps: RouteDeps): Answer {
  refuseUnknown(query, [...TRADE_FILTERS, 'limit', 'cursor']);
  const { view } = deps;
  const walk = walkOf(query, TRADE_FILTERS);
  const user = walletIn(query, 'user', false);
  const conditions = conditionsOf(query);
  const window =
    user === null ? sharedWindow(view.now(), conditions.length > 0) : userWindow(query, view.now());
  const below = walk.from === null ? {} : { below: walk.from };
  const accept = acceptance(query, deps);
  const found = view.list({ user, conditions, ...window, ...below, limit: walk.limit + 1, accept });
  const form = user !== null ? 'wallet' : conditions.length > 0 ? 'markets' : 'all';
  return walk.page(found, (indices) => pageRows(indices, { ...deps, toRow: tradeRow(deps, form) }));
}

function acceptance(query: Query, { view }: RouteDeps): Accept {
  const type = query.text('filter_type') ?? 'TOKENS';
  const amount = Math.max(LEAST_AMOUNT, query.number('filter_amount') ?? 0);
  const isTakerOnly = query.flag('taker_only') ?? true;
  const side = sideOf(query);
  if (type !== 'CASH' && type !== 'TOKENS') throw new BadQuery('filter_type', 'must be CASH or TOKENS');
  return (trade, index) =>
    (side === null || trade.side === side) &&
    trade.size * (type === 'CASH' ? trade.price : 1) >= amount &&
    (!isTakerOnly || view.roleOf(index) === 'taker');
}

/** What a wallet did: here its trades only. Newest first, or oldest first with `sort_direction=ASC`. */
export function activity(query: Query, deps: RouteDeps): Answer {
  refuseUnknown(query, [...ACTIVITY_FILTERS, 'limit', 'cursor']);
  const { view } = deps;
  const user = walletIn(query, 'user', true) as string;
  const walk = walkOf(query, ACTIVITY_FILTERS);
  const direction = query.text('sort_direction') ?? 'DESC';
  if (direction !== 'ASC' && direction !== 'DESC')
    throw new BadQuery('sort_direction', 'must be ASC or DESC');
  const side = sideOf(query);
  const types = query.list('type');
  const listing = {
    ...{ user, conditions: conditionsOf(query), limit: Number.MAX_SAFE_INTEGER },
    ...userWindow(query, view.now()),
    ...(side !== null && { accept: (trade: TapeTrade) => trade.side === side }),
  };
  const newestFirst = types.length === 0 || types.includes('TRADE') ? view.list(listing) : [];
  const all = direction === 'ASC' ? newestFirst.toReversed() : newestFirst;
  const first = walk.from === null ? 0 : all.indexOf(walk.from) + 1;
  const found = all.slice(first, first + walk.limit + 1);
  return walk.page(found, (indices) => pageRows(indices, { ...deps, toRow: activityRow(deps) }));
}

function conditionsOf(query: Query): readonly string[] {
  return idsOf(query, 'condition');
}

function sideOf(query: Query): string | null {
  const side = query.text('side');
  if (side !== null && side !== 'BUY' && side !== 'SELL') throw new BadQuery('side', 'must be BUY or SELL');
  return side;
}
