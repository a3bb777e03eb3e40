import {
  type Answer,
  BadQuery,
  givenAs,
  idsOf,
  ok,
  type Query,
  type Route,
  type RouteDeps,
  refuseUnknown,
  walletIn,
} from './answer.ts';
import { walletPlace } from './fixed-share.ts';
import { payoutsOf } from './gamma.ts';
import type { TapeMarket } from './market-tape.ts';
import { activity, trades } from './v2-trades.ts';

/** The origin never says that it is quicker. */
const LEAST_LAG_S = 2;
/** Of a wallet; nothing here looks at them. */
const SUMS = [
  ...['realized_market_pnl', 'realized_lp_pnl', 'realized_combo_pnl', 'unrealized_pnl', 'realized_pnl'],
  ...['position_pnl', 'settled_pnl', 'economic_pnl', 'trade_pnl', 'wallet_income', 'sponsored_income'],
  ...['fees_refunded', 'fees', 'fees_paid', 'maker_rebate', 'taker_rebate', 'reward_income'],
  ...['yield_income', 'referral_income', 'volume', 'volume_usdc', 'trade_count'],
];
const CONDITION = /^0x[0-9a-f]{64}$/i;

/**
 * The Data API, version 2: an envelope, cursors, snake case. Assumed, as the document leaves it open: a parameter it
 * does not know is a 400 (so that a misspelt one is noticed), but for names with `_` in front, which break caches; a
 * cursor with other filters is a 400 too, where the real one continues elsewhere without an error.
 */
export const DATA_V2: Readonly<Record<string, Route>> = {
  '/v2/trades': trades,
  '/v2/activity': activity,
  '/v2/user-stats': userStats,
  '/v2/resolutions': resolutions,
  '/v2/status': status,
};

function userStats(query: Query, { view, profile }: RouteDeps): Answer {
  refuseUnknown(query, ['user']);
  const user = walletIn(query, 'user', true) as string;
  const wallet = view.wallet(user);
  if (wallet === null) return ok({ data: null });
  const known = view.tape.wallets.get(user);
  const isUndated =
    walletPlace(user) < profile.withoutJoinDate || (known !== undefined && known.createdAt === null);
  const joined = known?.createdAt == null ? wallet.since : Math.floor(Date.parse(known.createdAt) / 1_000);
  return ok({
    data: {
      proxy_wallet: user,
      trades: wallet.markets,
      biggest_win: 0,
      views: 0,
      join_date: isUndated ? null : joined,
      all_time_pnl: {
        ...{ timestamp: Math.floor(view.now() / 1_000), source_block: 0 },
        ...Object.fromEntries(SUMS.map((name) => [name, 0])),
        ...{ deposits: null, withdrawals: null, cashflow_net: null },
      },
    },
  });
}

function resolutions(query: Query, { view }: RouteDeps): Answer {
  refuseUnknown(query, ['question_id', 'condition', 'event_id', 'limit', 'cursor']);
  const given = ['question_id', 'condition', 'event_id'].filter((name) => givenAs(query, name) !== null);
  if (given.length !== 1)
    throw new BadQuery('condition', 'exactly one of question_id, condition and event_id');
  const ids = idsOf(query, 'condition');
  const bad = ids.find((id) => !CONDITION.test(id));
  // As captured on 2026-10-05: one id of 62 digits, and the whole request is refused.
  if (bad !== undefined) throw new BadQuery('condition', `invalid resolution condition id: ${bad}`);
  const rows = ids.map((id) => view.market(id));
  const data = rows.filter((market) => market !== null).map(resolutionRow);
  return ok({ data });
}

/** A row of Protocol V2 is dated in words and `active` until it is resolved, one of before in seconds and UMA's states. */
function resolutionRow(market: TapeMarket) {
  const payouts = payoutsOf(market);
  const isV2 = market['version'] === 'v2';
  const at = `${new Date(market.at * 1_000).toISOString().slice(0, 19)}Z`;
  const row = {
    condition_id: market.conditionId,
    ...{ extended_review: false, was_disputed: false },
    ...(isV2 && { market_type: 'BINARY', was_arbitrated: false }),
  };
  const settled = { new_version_q: false, transaction_hash: '', log_index: '', last_update_timestamp: at };
  if (payouts !== null)
    return {
      ...{ ...row, ...settled, status: 'resolved' },
      payouts: payouts.map((payout) => payout * 1_000_000),
      resolution_source: 'reported',
      ...(isV2 && { reporter: 'CHAINLINK' }),
      ...{ resolved_block: Math.floor(market.at / 2), resolved_at: at },
    };
  if (isV2) return { ...row, ...settled, status: 'active' };
  const isProposed = market['umaResolutionStatus'] === 'proposed';
  return {
    ...{ ...row, question_id: market.conditionId, status: isProposed ? 'proposed' : 'initialized' },
    ...{ new_version_q: true, transaction_hash: market.conditionId, log_index: '1' },
    ...{ proposed_price: isProposed ? '1000000000000000000' : '69', reproposed_price: '69', price: '69' },
    last_update_timestamp: String(market.at),
  };
}

/** The age of the global list at its origin; a cache in front of it is ignored. */
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
