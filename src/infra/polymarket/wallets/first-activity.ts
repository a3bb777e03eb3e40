import { z } from 'zod';
import { SECOND_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { upstreamTime } from '../upstream-time.ts';
import { type Asking, askFor } from './ask.ts';

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
  let candidate = oldestOf(await activity(asking, null));
  for (let probe = 0; candidate !== null && probe < PROBES_MAX; probe += 1) {
    const earlier = await activity(asking, Math.ceil(candidate / SECOND_MS) - 1);
    if (earlier.length === 0) return candidate;
    // The answer ignored the bound if it has rows from the candidate on, and proves nothing.
    candidate = Math.min(candidate, oldestOf(earlier) ?? candidate);
  }
  return null;
}

/** Times of the wallet's oldest trades up to `end`; null for an invalid row. */
async function activity(asking: Asking, endSeconds: number | null): Promise<readonly (EpochMs | null)[]> {
  const query = {
    user: asking.wallet,
    type: 'TRADE',
    sort_direction: 'ASC',
    start: FULL_HISTORY,
    ...(endSeconds !== null && { end: endSeconds }),
    limit: PAGE,
  };
  const { data } = await askFor(asking, { api: 'data', path: '/v2/activity', query }, page);
  return data
    .map((value) => row.safeParse(value).data)
    .filter((read) => (read?.proxy_wallet ?? asking.wallet).toLowerCase() === asking.wallet)
    .map((read) => upstreamTime(read?.timestamp));
}

function oldestOf(moments: readonly (EpochMs | null)[]): EpochMs | null {
  const known = moments.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
