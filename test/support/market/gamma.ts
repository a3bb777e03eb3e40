import { type Answer, BadQuery, ok, type Query, type Route, type RouteDeps, walletIn } from './answer.ts';
import type { TapeMarket } from './market-tape.ts';

const OFFSET_MOST = 2_100;
const LISTED_MOST = 500;
const KEYSET_MOST = 100;

/**
 * The Gamma API. Assumed, as the document leaves it open: a listing without `closed` has open markets only; a keyset page
 * is `{markets, next_cursor}`, without a cursor on the last one; a market of Protocol V2 is found by the id Gamma writes.
 */
export const GAMMA: Readonly<Record<string, Route>> = {
  '/markets': listed,
  '/markets/keyset': byKeyset,
  '/public-profile': profile,
};

function listed(query: Query, deps: RouteDeps): Answer {
  const offset = query.whole('offset', { min: 0, max: OFFSET_MOST, otherwise: 0 });
  const limit = query.whole('limit', { min: 0, max: LISTED_MOST, otherwise: 20 });
  return ok(
    found(query, deps)
      .slice(offset, offset + limit)
      .map(rowFor(query)),
  );
}

function byKeyset(query: Query, deps: RouteDeps): Answer {
  if (query.text('offset') !== null)
    throw new BadQuery('offset', 'offset is not taken here; use after_cursor');
  const limit = query.whole('limit', { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: 20 });
  if (limit > KEYSET_MOST) throw new BadQuery('limit', `limit must be at most ${KEYSET_MOST}`);
  const after = query.text('after_cursor');
  const all = found(query, deps);
  const first = after === null ? 0 : all.findIndex(({ conditionId }) => conditionId === unpacked(after)) + 1;
  if (after !== null && first === 0) throw new BadQuery('after_cursor', 'no cursor of this listing');
  const page = all.slice(first, first + limit);
  const last = page.at(-1);
  const hasMore = first + limit < all.length && last !== undefined;
  return ok({
    markets: page.map(rowFor(query)),
    ...(hasMore && { next_cursor: Buffer.from(last.conditionId).toString('base64url') }),
  });
}

const unpacked = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

function found(query: Query, { view }: RouteDeps): readonly TapeMarket[] {
  const ids = query.list('condition_ids');
  const tokens = query.list('clob_token_ids');
  const isClosed = query.flag('closed') ?? false;
  const byId = (id: string) => {
    const market = view.market(id.padEnd(66, '0'));
    return market !== null && gammaIdOf(market) === id ? market : null;
  };
  const asked = ids.length > 0 ? [...new Set(ids)].map(byId) : view.markets();
  return asked
    .filter((market) => market !== null)
    .filter((market) => (market['closed'] === true) === isClosed)
    .filter((market) => tokens.length === 0 || tokensOf(market).some((token) => tokens.includes(token)));
}

/** Gamma writes 31 bytes of a Protocol V2 id, everything else 32. */
function gammaIdOf({ conditionId, version }: TapeMarket): string {
  return version === 'v2' ? conditionId.slice(0, -2) : conditionId;
}

/** A market's row as Gamma has it: lists as JSON text in a string, tags only when asked for. */
export function gammaRow(market: TapeMarket, hasTags = true): Readonly<Record<string, unknown>> {
  const { at, tags, ...row } = market;
  const isClosed = market['closed'] === true;
  return {
    id: market.conditionId.slice(2, 10),
    ...row,
    ...(row['version'] === 'v2' && {
      conditionId: gammaIdOf(market),
      clobTokenIds: null,
      positionIds: tokensOf(market),
    }),
    category: null,
    ...(hasTags && { tags }),
    active: true,
    closed: isClosed,
    archived: false,
    acceptingOrders: !isClosed,
    ...(isClosed && {
      closedTime: new Date(at * 1_000).toISOString().replace('T', ' ').replace('.000Z', '+00'),
      umaResolutionStatus: 'resolved',
    }),
  };
}

function rowFor(query: Query): (market: TapeMarket) => unknown {
  const hasTags = query.flag('include_tag') ?? false;
  return (market) => gammaRow(market, hasTags);
}

/** What each outcome pays once the market is settled. */
export function payoutsOf(market: TapeMarket): readonly number[] | null {
  if (market['closed'] !== true) return null;
  return (JSON.parse(String(market['outcomePrices'])) as string[]).map(Number);
}

export function tokensOf(market: TapeMarket): readonly string[] {
  return JSON.parse(String(market['clobTokenIds'] ?? '[]')) as string[];
}

function profile(query: Query, { view }: RouteDeps): Answer {
  const address = walletIn(query, 'address', true) as string;
  const wallet = view.wallet(address);
  if (wallet === null) return { status: 404, body: { type: 'not found error', error: 'profile not found' } };
  const known = view.tape.wallets.get(address);
  const createdAt = known === undefined ? new Date(wallet.since * 1_000).toISOString() : known.createdAt;
  return ok({
    createdAt,
    proxyWallet: address,
    name: '',
    pseudonym: 'Plain-Person',
    bio: '',
    xUsername: null,
    verifiedBadge: false,
    users: [],
  });
}
