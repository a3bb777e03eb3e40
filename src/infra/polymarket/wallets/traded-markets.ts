import { z } from 'zod';
import type { EpochMs } from '../../../core/trade.ts';
import { type Asking, askDated, BEHIND_MAX_MS, behindFault } from './ask.ts';
import { isRouteRefusal, RouteUnavailable } from './route-health.ts';
import type { TradeHistory } from './trade-history.ts';

const PATH = '/v2/user-stats';

const stats = z.object({ data: z.object({ trades: z.int().min(0) }).nullable() });

/**
 * Number of distinct markets that the wallet traded before the moment, from its trades. When there are too many trades, or
 * their route refuses or is unavailable: the markets of all time, which are at least as many, so that a wallet never looks
 * fresher. Null when neither is known. Rejects when the market fails or its list is old (`listedUntil`: time of the newest
 * trade on the list of all trades).
 */
export async function tradedMarkets(
  asking: Asking,
  history: TradeHistory,
  listedUntil: EpochMs | null,
): Promise<number | null> {
  let fault: unknown = null;
  try {
    const counted = await history.markets(listedUntil);
    if (counted !== null) return counted;
  } catch (error) {
    if (!isRouteRefusal(error) && !(error instanceof RouteUnavailable)) throw error;
    if (!isRouteRefusal(error)) fault = error;
  }
  const ofAllTime = await marketsOfAllTime(asking);
  if (ofAllTime === null && fault !== null) throw fault;
  return ofAllTime === null ? null : Math.max(ofAllTime, history.marketsMet);
}

async function marketsOfAllTime(asking: Asking): Promise<number | null> {
  try {
    const query = { user: asking.wallet };
    const { data: answer, asOf } = await askDated(asking, { api: 'data', path: PATH, query }, stats);
    if (asOf < asking.before - BEHIND_MAX_MS) throw behindFault(PATH);
    return answer.data?.trades ?? null;
  } catch (error) {
    if (isRouteRefusal(error)) return null;
    throw error;
  }
}
