import { z } from 'zod';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { AgeSource, WalletAge } from '../../../../core/trades/source/wallet-ages.ts';
import { parseMoment } from '../../tapes/text-fields.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { isRouteRefusal } from '../client/route-health.ts';
import { upstreamTime } from '../client/upstream-time.ts';
import { type Asking, ask, PAGES_MAX, type TradeHistory } from './trade-history.ts';

/** A date up to this long after the account's own trade is taken as the date of that trade; a later one is another account's. */
const SLACK_MS = DAY_MS;
/** The market opened in 2020; an older date is the default value of a field. */
const EARLIEST = Date.UTC(2020, 0, 1);

const stats = z.object({ data: z.object({ join_date: z.unknown() }).nullable() });
const profile = z.object({ createdAt: z.unknown() });

/** `isWhole`: false when a source failed that could know an older date. */
type Age = (WalletAge & { readonly isWhole: boolean }) | { readonly reason: string };

type Read = (asking: Asking, history: TradeHistory) => Promise<EpochMs | null>;

/** What the account's own date is taken from: all are asked, since one may state a later date than another. */
const DATES: readonly (readonly [AgeSource, Read])[] = [
  ['join_date', joinDate],
  ['profile', profileDate],
];
/**
 * Sources of a first trade, in the order in which they are asked until one knows it. The first page of the wallet's own
 * trades costs nothing extra: the markets of a young wallet are counted by it. Activity costs two requests and finds the
 * first trade of any wallet.
 */
const FIRST_TRADES: readonly (readonly [AgeSource, Read])[] = [
  ['trades', (_asking, history) => history.firstTrade(1)],
  ['activity', firstActivity],
  ['trades', (_asking, history) => history.firstTrade(PAGES_MAX)],
];

/**
 * The oldest date that a source knows. `oldBefore`: a wallet with a date before it is old whatever the others know, so they
 * are not asked. Rejects when none knows a date and one failed.
 */
export async function accountAge(
  asking: Asking,
  history: TradeHistory,
  oldBefore = Number.NEGATIVE_INFINITY,
): Promise<Age> {
  const refused = new Set<AgeSource>();
  let fault: unknown = null;
  let oldest: WalletAge | null = null;
  for (const [source, read] of [...DATES, ...FIRST_TRADES]) {
    const isEnough = oldest !== null && (oldest.createdAt < oldBefore || !isDate(source));
    if (isEnough) break;
    try {
      const createdAt = plausible(await read(asking, history), asking.before);
      if (createdAt !== null && createdAt < (oldest?.createdAt ?? Number.POSITIVE_INFINITY))
        oldest = { wallet: asking.wallet, createdAt, source };
    } catch (error) {
      if (asking.signal.aborted || !(error instanceof UpstreamFault)) throw error;
      if (isRouteRefusal(error)) refused.add(source);
      else fault ??= error;
    }
  }
  if (oldest !== null) return { ...oldest, isWhole: fault === null };
  if (fault !== null) throw fault;
  return { reason: refused.size === 0 ? 'no date' : `no date, refused: ${[...refused].join(', ')}` };
}

function isDate(source: AgeSource): boolean {
  return DATES.some(([name]) => name === source);
}

export function plausible(at: EpochMs | null, before: EpochMs): EpochMs | null {
  if (at === null || at < EARLIEST || at > before + SLACK_MS) return null;
  return Math.min(at, before);
}

export async function joinDate(asking: Asking): Promise<EpochMs | null> {
  const query = { user: asking.wallet };
  const { data: answer } = await ask(asking, { api: 'data', path: '/v2/user-stats', query }, stats);
  return upstreamTime(answer.data?.join_date);
}

/** The route documents a 404 for a wallet that it does not know. */
export async function profileDate(asking: Asking): Promise<EpochMs | null> {
  const query = { address: asking.wallet };
  const request = { api: 'gamma', path: '/public-profile', query, mayBeAbsent: true } as const;
  try {
    const { data } = await ask(asking, request, profile);
    return typeof data.createdAt === 'string' ? parseMoment(data.createdAt) : null;
  } catch (error) {
    if (error instanceof UpstreamFault && error.status === 404) return null;
    throw error;
  }
}

const PAGE = 10;
const PROBES_MAX = 8;
/** Without `start` the API lists the last three years. */
const FULL_HISTORY = 1;

const page = z.object({ data: z.array(z.unknown()) });
const row = z.object({ proxy_wallet: z.string().nullish(), timestamp: z.unknown() });

/**
 * Time of a wallet's first trade; null when none is listed, or none is proven to be the first. The oldest row of the first
 * page is only a candidate, since a page may be stale. An empty page before it is the proof (one page of activity alone gave
 * a wrong age for 146 of 947 public alerts).
 */
export async function firstActivity(asking: Asking): Promise<EpochMs | null> {
  let candidate = oldestOf(await activity(asking, asking.before + SLACK_MS));
  for (let probe = 0; candidate !== null && probe < PROBES_MAX; probe += 1) {
    const earlier = await activity(asking, candidate - SECOND_MS);
    if (earlier.length === 0) return candidate;
    // The answer ignored the bound if it has rows from the candidate on, and proves nothing.
    candidate = Math.min(candidate, oldestOf(earlier) ?? candidate);
  }
  return null;
}

/** The first page of the wallet's trades up to `until`, all parameters stated. */
function activityQuery(wallet: string, until: EpochMs) {
  return {
    user: wallet,
    type: 'TRADE',
    exclude_deposits_withdrawals: true,
    sort_by: 'TIMESTAMP',
    sort_direction: 'ASC',
    start: FULL_HISTORY,
    end: Math.ceil(until / SECOND_MS),
    limit: PAGE,
  };
}

async function activity(asking: Asking, until: EpochMs): Promise<readonly (EpochMs | null)[]> {
  const query = activityQuery(asking.wallet, until);
  const { data: answer } = await ask(asking, { api: 'data', path: '/v2/activity', query }, page);
  return answer.data
    .map((value) => row.safeParse(value).data)
    .filter((read) => (read?.proxy_wallet ?? asking.wallet).toLowerCase() === asking.wallet)
    .map((read) => upstreamTime(read?.timestamp));
}

function oldestOf(moments: readonly (EpochMs | null)[]): EpochMs | null {
  const known = moments.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
