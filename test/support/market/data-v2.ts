import { type Answer, BadQuery, ok, type Query, type Route, type RouteDeps, walletIn } from './answer.ts';
import { payoutsOf } from './gamma.ts';
import type { TapeMarket } from './market-tape.ts';
import { givenAs, idsOf, refuseUnknown } from './v2-query.ts';
import { activity, trades } from './v2-trades.ts';

/** The origin never says that it is quicker. */
const LEAST_LAG_S = 2;
const CONDITION = /^0x[0-9a-f]{64}$/i;

/**
 * The Data API, version 2: an envelope, cursors, snake case. Assumed, as the document leaves it open: a parameter it
 * does not know is a 400 (so that a misspelt one is noticed), but for names with `_` in front, which break caches; a
 * cursor with other filters is a 400 too, where the real one goes on from elsewhere without a word.
 */
export const DATA_V2: Readonly<Record<string, Route>> = {
  '/v2/trades': trades,
  '/v2/activity': activity,
  '/v2/user-stats': userStats,
  '/v2/resolutions': resolutions,
  '/v2/status': status,
};

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

/** How old what everyone's list shows is at its origin; a cache in front of it is not looked at. */
function status(query: Query, { view }: RouteDeps): Answer {
  refuseUnknown(query, []);
  const now = view.now();
  const lag = Math.max(LEAST_LAG_S, Math.floor((now - view.listedUntil()) / 1_000));
  const block = Math.floor(now / 1_500);
  const behind = { source: 'auto_redeem_binary_redemption', block, behind_max: 1 };
  return ok({
    data: {
      computed_at: `${new Date(now).toISOString().slice(0, 19)}Z`,
      age_seconds: 1,
      serving: {
        lag_seconds: lag,
        worst: 'activity_feed',
        mechanisms: [
          { name: 'activity_feed', age_seconds: lag },
          { name: 'custody_balances', age_seconds: 0, blocks_behind: 833 },
          { name: 'pnl', age_seconds: 1, blocks_behind: 1 },
        ],
      },
      ingestion: {
        ...{ cursors: 148, network: 'polygon', chain_id: 137 },
        ...{ max_synced_block: block, min_synced_block: block - 1 },
        ...{ most_lagged: behind, lagging: [behind] },
      },
    },
  });
}
