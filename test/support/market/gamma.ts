import { type Answer, BadQuery, ok, type Query, type Route, type RouteDeps, walletIn } from './answer.ts';
import { fixedShare, walletPlace } from './fixed-share.ts';
import { type TapeMarket, tokensOf } from './market-tape.ts';

/** Of rows, and of ids that are asked for. */
const LISTED_MOST = 100;
const SCHEMAS = 'https://gamma-api.polymarket.com/schemas';
/**
 * The Gamma API. Assumed, as the document leaves it open: a listing without `closed` has open markets only; a keyset page
 * is `{markets, next_cursor}`, without a cursor on the last one; a market of Protocol V2 is found by the id Gamma writes.
 */
export const GAMMA: Readonly<Record<string, Route>> = {
  '/markets/keyset': byKeyset,
  '/public-profile': profile,
};

/** A limit above the largest is lowered without a word. */
function byKeyset(query: Query, deps: RouteDeps): Answer {
  if (query.text('offset') !== null)
    throw new BadQuery('offset', 'offset is not allowed on keyset endpoints');
  const limit = query.whole('limit', { min: 1, max: LISTED_MOST, otherwise: 20 });
  const after = query.text('after_cursor');
  const all = found(query, deps);
  const first = after === null ? 0 : all.findIndex(({ conditionId }) => conditionId === unpacked(after)) + 1;
  if (after !== null && first === 0) throw new BadQuery('after_cursor', 'no cursor of this listing');
  const page = all.slice(first, first + limit);
  const last = page.at(-1);
  const hasMore = first + limit < all.length && last !== undefined;
  return ok({
    $schema: `${SCHEMAS}/MarketsKeysetListResponse.json`,
    markets: page.map(rowFor(query)),
    ...(hasMore && { next_cursor: Buffer.from(last.conditionId).toString('base64url') }),
  });
}

const unpacked = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

function found(query: Query, deps: RouteDeps): readonly TapeMarket[] {
  const ids = idsIn(query, 'condition_ids');
  const tokens = idsIn(query, 'clob_token_ids');
  const isClosed = query.flag('closed') ?? false;
  return asked({ ids, tokens }, deps)
    .filter((market) => (market['closed'] === true) === isClosed)
    .filter((market) => tokens.length === 0 || tokensOf(market).some((token) => tokens.includes(token)))
    .filter(({ conditionId }) => fixedShare(conditionId, 'gamma') >= deps.profile.withoutGamma);
}

function idsIn(query: Query, name: string): readonly string[] {
  const ids = [...new Set(query.list(name))];
  if (ids.length > LISTED_MOST) throw new BadQuery(name, `at most ${LISTED_MOST} ${name}`);
  return ids;
}

function asked(
  { ids, tokens }: { ids: readonly string[]; tokens: readonly string[] },
  { view, profile }: RouteDeps,
): readonly TapeMarket[] {
  const byId = (id: string) => {
    const market = view.market(id.padEnd(66, '0'));
    if (market === null || market['version'] !== 'v2') return market?.conditionId === id ? market : null;
    const form = id.length < 66 ? 'short' : 'long';
    return profile.gammaFinds === 'both' || profile.gammaFinds === form ? market : null;
  };
  if (ids.length > 0) return ids.map(byId).filter((market) => market !== null);
  if (tokens.length === 0) return view.markets();
  return [...new Set(tokens.map(view.marketOfToken))].filter((market) => market !== null);
}

/** Gamma writes 31 bytes of a Protocol V2 id, everything else 32. */
function gammaIdOf({ conditionId, version }: TapeMarket): string {
  return version === 'v2' ? conditionId.slice(0, -2) : conditionId;
}

/** A market's row as Gamma has it: lists as JSON text in a string, tags only when asked for. */
export function gammaRow(market: TapeMarket, hasTags = true): Readonly<Record<string, unknown>> {
  const { at, tags, category, ...row } = market;
  const isClosed = market['closed'] === true;
  return {
    id: numberOf(market),
    version: 'v1',
    ...row,
    ...(row['version'] === 'v2' && {
      conditionId: gammaIdOf(market),
      clobTokenIds: null,
      positionIds: tokensOf(market),
    }),
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

/** The number by which Gamma itself knows a market. */
export const numberOf = ({ conditionId }: TapeMarket) =>
  String(1_000_000 + Math.floor(fixedShare(conditionId, 'number') * 9_000_000));

function rowFor(query: Query): (market: TapeMarket) => unknown {
  const hasTags = query.flag('include_tag') ?? false;
  return (market) => gammaRow(market, hasTags);
}

/** What each outcome pays once the market is settled. */
export function payoutsOf(market: TapeMarket): readonly number[] | null {
  if (market['closed'] !== true) return null;
  return (JSON.parse(String(market['outcomePrices'])) as string[]).map(Number);
}

function profile(query: Query, { view, profile: { withoutProfile } }: RouteDeps): Answer {
  const address = walletIn(query, 'address', true) as string;
  const wallet = view.wallet(address);
  const place = walletPlace(address);
  // An account is made before its first trade.
  const known = view.tape.wallets.get(address);
  const since = wallet === null ? null : new Date(wallet.since * 1_000).toISOString();
  const createdAt = known === undefined ? since : known.createdAt;
  if ((wallet === null && known === undefined) || place < withoutProfile)
    return { status: 404, body: { type: 'not found error', error: 'profile not found' } };
  return ok({
    $schema: `${SCHEMAS}/PublicProfileResponse.json`,
    createdAt,
    proxyWallet: address,
    profileImage: '',
    displayUsernamePublic: true,
    bio: '',
    pseudonym: 'Plain-Person',
    name: '',
    users: [{ id: '1', creator: false, mod: false, communityMod: false }],
    xUsername: '',
    verifiedBadge: false,
    takerTier: 0,
    takerTierName: 'Tier 0',
    weightedVolume: 0,
  });
}
