import { z } from 'zod';
import { type Asking, askFor } from './ask.ts';
import { isRefusal, RouteUnavailable } from './route-health.ts';
import type { TradeHistory } from './trade-history.ts';

const stats = z.object({ data: z.object({ trades: z.int().min(0) }).nullable() });

/**
 * Distinct markets the wallet traded before the moment, from its trades; when these are too many, or their route refuses or
 * is unavailable, those of all time, which are rather too many: a wallet never seems fresher by it. Null when the market
 * knows neither; rejects when it failed to answer.
 */
export async function tradedMarkets(asking: Asking, history: TradeHistory): Promise<number | null> {
  let fault: unknown = null;
  try {
    const counted = await history.markets();
    if (counted !== null) return counted;
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof RouteUnavailable)) throw error;
    if (!isRefusal(error)) fault = error;
  }
  const ofAllTime = await marketsOfAllTime(asking);
  if (ofAllTime === null && fault !== null) throw fault;
  return ofAllTime === null ? null : Math.max(ofAllTime, history.marketsMet);
}

async function marketsOfAllTime(asking: Asking): Promise<number | null> {
  try {
    const query = { user: asking.wallet };
    const { data } = await askFor(asking, { api: 'data', path: '/v2/user-stats', query }, stats);
    return data?.trades ?? null;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
