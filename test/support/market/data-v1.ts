import { type Answer, BadQuery, ok, type Query, type Route, type RouteDeps, walletIn } from './answer.ts';
import type { TapeTrade } from './market-tape.ts';
import type { Listing } from './market-view.ts';
import { pageRows, rowV1 } from './trade-rows.ts';

const TRADES_MOST = 10_000;
const ACTIVITY_OFFSET_MOST = 5_000;
const ACTIVITY_LIMIT_MOST = 500;

/** The Data API, version 1: bare arrays, newest first. Parameters it does not know it passes over. */
export const DATA_V1: Readonly<Record<string, Route>> = {
  '/trades': trades,
  '/activity': activity,
  '/traded': (query, { view }) => {
    const user = walletIn(query, 'user', true) as string;
    return ok({ user, traded: view.wallet(user)?.markets ?? 0 });
  },
};

function trades(query: Query, deps: RouteDeps): Answer {
  const conditions = query.list('market');
  if (conditions.length > 0 && query.text('eventId') !== null)
    throw new BadQuery('eventId', 'market and eventId exclude each other');
  const offset = query.whole('offset', { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  if (offset > TRADES_MOST) throw new BadQuery('offset', `offset must be at most ${TRADES_MOST}`);
  query.flag('takerOnly');
  const listing: Listing = {
    user: walletIn(query, 'user', false),
    conditions,
    start: query.seconds('start'),
    end: query.seconds('end'),
    limit: query.whole('limit', { min: 0, max: TRADES_MOST, otherwise: 100 }),
    accept: acceptance(query),
  };
  const skip = wrapped(offset, listing, deps);
  return ok(pageRows(deps.view.list({ ...listing, skip }), { ...deps, toRow: rowV1 }));
}

/** As it was seen to be: past the end it goes round and repeats earlier rows. */
function wrapped(offset: number, listing: Listing, { view, faults }: RouteDeps): number {
  if (offset === 0) return 0;
  const total = view.count(listing);
  return offset >= total && total > 0 && faults.strikes('wrap') ? offset % total : offset;
}

/** Null: everything. */
function acceptance(query: Query): ((trade: TapeTrade) => boolean) | null {
  const type = query.text('filterType');
  const amount = query.number('filterAmount');
  const side = query.text('side');
  if ((type === null) !== (amount === null))
    throw new BadQuery('filterType', 'filterType and filterAmount go together');
  if (type !== null && type !== 'CASH' && type !== 'TOKENS')
    throw new BadQuery('filterType', 'filterType must be CASH or TOKENS');
  if (side !== null && side !== 'BUY' && side !== 'SELL')
    throw new BadQuery('side', 'side must be BUY or SELL');
  if (side === null && (amount === null || amount <= 0)) return null;
  return (trade) =>
    (side === null || trade.side === side) &&
    trade.size * (type === 'CASH' ? trade.price : 1) >= (amount ?? 0);
}

function activity(query: Query, deps: RouteDeps): Answer {
  const { view } = deps;
  const user = walletIn(query, 'user', true);
  const offset = query.whole('offset', { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  if (offset > ACTIVITY_OFFSET_MOST)
    throw new BadQuery('offset', `offset must be at most ${ACTIVITY_OFFSET_MOST}`);
  const limit = query.whole('limit', { min: 0, max: ACTIVITY_LIMIT_MOST, otherwise: 100 });
  const types = query.list('type');
  const listing: Listing = {
    user,
    conditions: query.list('market'),
    start: query.seconds('start'),
    end: query.seconds('end'),
    limit: Number.MAX_SAFE_INTEGER,
  };
  const all = types.length === 0 || types.includes('TRADE') ? view.list(listing) : [];
  const isAscending = query.text('sortDirection') === 'ASC';
  const sorted = isAscending ? all.toReversed() : all;
  const indices = sorted.slice(offset, offset + limit);
  const toRow = (trade: TapeTrade) => ({
    ...rowV1(trade),
    type: 'TRADE',
    usdcSize: trade.size * trade.price,
    isCombo: false,
  });
  return ok(pageRows(indices, { ...deps, toRow }));
}
