import {
  type Answer,
  BadQuery,
  listIn,
  ok,
  type Route,
  type RouteDeps,
  refuseUnknown,
  walletIn,
} from './answer.ts';
import { walletPlace } from './fixed-share.ts';
import { payoutsOf } from './gamma.ts';
import { golden } from './golden.ts';
import type { TapeMarket } from './market-tape.ts';
import { activity, trades } from './v2-trades.ts';

/** The origin never says that it is quicker. */
const LEAST_LAG_S = 2;
const IDS_MOST = 20;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const STATS = golden('data-v2-user-stats').data;
const STATUS = golden('data-v2-status').data;
const [OPEN_UMA, OPEN_V2] = golden('data-v2-resolutions-open').data;
const [RESOLVED_UMA, RESOLVED_V2] = golden('data-v2-resolutions-resolved').data;

/**
 * The Data API, version 2, in the captured shapes, whose fields of no use here have the captured values. Assumed, as the
 * document leaves it open: a parameter it does not know is a 400 (so that a misspelt one is noticed), but for names with
 * `_` in front, which break caches.
 */
export const DATA_V2: Readonly<Record<string, Route>> = {
  '/v2/trades': trades,
  '/v2/activity': activity,
  '/v2/user-stats': userStats,
  '/v2/resolutions': resolutions,
  '/v2/status': status,
};

function userStats(query: URLSearchParams, { view, profile }: RouteDeps): Answer {
  refuseUnknown(query, ['user']);
  const user = walletIn(query, 'user');
  const wallet = view.wallet(user);
  if (wallet === null) return ok({ data: null });
  const known = view.tape.wallets.get(user);
  const isUndated =
    walletPlace(user) < profile.withoutJoinDate || (known !== undefined && known.createdAt === null);
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

/** A row of Protocol V2 is `active` until it is resolved, one of before has UMA's states. */
function resolutionRow(market: TapeMarket) {
  const payouts = payoutsOf(market);
  const isV2 = market['version'] === 'v2';
  const row = { condition_id: market.conditionId };
  if (payouts !== null)
    return {
      ...{ ...(isV2 ? RESOLVED_V2 : RESOLVED_UMA), ...row },
      payouts: payouts.map((payout) => payout * 1_000_000),
    };
  const isProposed = market['umaResolutionStatus'] === 'proposed';
  return isV2
    ? { ...OPEN_V2, ...row }
    : { ...OPEN_UMA, ...row, status: isProposed ? 'proposed' : 'initialized' };
}

/** The age of the global list at its origin; a cache in front of it is ignored. */
function status(query: URLSearchParams, { view }: RouteDeps): Answer {
  refuseUnknown(query, []);
  const lag = Math.max(LEAST_LAG_S, Math.floor((view.now() - view.listedUntil()) / 1_000));
  return ok({ data: { ...STATUS, age_seconds: 1, serving: { ...STATUS.serving, lag_seconds: lag } } });
}
