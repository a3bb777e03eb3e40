import { type Answer, listIn, ok, type Route, type RouteDeps, refuseUnstated, walletIn } from './answer.ts';
import { golden } from './golden.ts';
import type { TapeMarket } from './market-tape.ts';

const IDS_MOST = 100;
const PROFILE = golden('gamma-public-profile');

/** The Gamma API. What is listed without `closed` is reported in two ways, so a request must state it. */
export const GAMMA: Readonly<Record<string, Route>> = {
  '/markets/keyset': byKeyset,
  '/public-profile': profile,
};

function byKeyset(query: URLSearchParams, deps: RouteDeps): Answer {
  refuseUnstated(query, ['closed', 'include_tag', 'limit']);
  const isClosed = query.get('closed') === 'true';
  const hasTags = query.get('include_tag') === 'true';
  const found = asked(query, deps).filter((market) => (market['closed'] === true) === isClosed);
  return ok({ markets: found.map((market) => gammaRow(market, hasTags)) });
}

function asked(query: URLSearchParams, { view }: RouteDeps): readonly TapeMarket[] {
  const ids = listIn(query, 'condition_ids', IDS_MOST);
  const tokens = listIn(query, 'clob_token_ids', IDS_MOST);
  const found = [...ids.map((id) => view.market(id)), ...tokens.map(view.marketOfToken)];
  return [...new Set(found)].filter((market) => market !== null);
}

/** A market's row as Gamma has it: lists as JSON text in a string, tags only when asked for. */
export function gammaRow(market: TapeMarket, hasTags = true): Readonly<Record<string, unknown>> {
  const { at, tags, category, ...row } = market;
  const isClosed = market['closed'] === true;
  return {
    version: 'v1',
    ...row,
    ...(hasTags && { tags }),
    closed: isClosed,
    ...(isClosed && {
      umaResolutionStatus: 'resolved',
    }),
  };
}

/** What each outcome pays once the market is settled. */
export function payoutsOf(market: TapeMarket): readonly number[] | null {
  if (market['closed'] !== true) return null;
  return (JSON.parse(String(market['outcomePrices'])) as string[]).map(Number);
}

function profile(query: URLSearchParams, { view }: RouteDeps): Answer {
  const address = walletIn(query, 'address');
  const wallet = view.wallet(address);
  // An account is made before its first trade.
  const known = view.tape.wallets.get(address);
  const since = wallet === null ? null : new Date(wallet.since * 1_000).toISOString();
  const createdAt = known === undefined ? since : known.createdAt;
  if (wallet === null && known === undefined)
    return { status: 404, body: { type: 'not found error', error: 'profile not found' } };
  return ok({ ...PROFILE, createdAt, proxyWallet: address });
}
