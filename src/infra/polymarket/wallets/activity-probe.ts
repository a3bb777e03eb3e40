import { z } from 'zod';
import type { EpochMs } from '../../../core/trade.ts';
import { upstreamTime } from '../upstream-time.ts';
import { type Asking, askFor } from './ask.ts';

const PAGE = 10;
/** A page may be stale or mis-sorted; a wallet that is not settled by then is asked about again later. */
const MOST_PROBES = 8;

const page = z.array(z.unknown());
const row = z.object({ timestamp: z.unknown() });

/** `unproven`: rows came, but none of them could be shown to be the first. */
export type FirstTrade = EpochMs | 'none' | 'unproven';

/**
 * The moment of a wallet's first trade. The oldest row of the first page is only a candidate: the page may be any. It is
 * proven by there being nothing before it (one page of activity gave a wrong age for 146 of 947 public alerts).
 */
export async function firstTrade(asking: Asking): Promise<FirstTrade> {
  let candidate = oldestOf(await activity(asking, null));
  if (candidate === null) return 'none';
  for (let probe = 0; probe < MOST_PROBES; probe += 1) {
    const before = await activity(asking, Math.ceil(candidate / 1_000) - 1);
    if (before.length === 0) return candidate;
    const older = oldestOf(before);
    // Rows from the candidate on: the bound was not heeded, and says nothing.
    if (older !== null && older < candidate) candidate = older;
  }
  return 'unproven';
}

async function activity(asking: Asking, endSeconds: number | null): Promise<readonly unknown[]> {
  const query = {
    user: asking.wallet,
    type: 'TRADE',
    sortBy: 'TIMESTAMP',
    sortDirection: 'ASC',
    limit: PAGE,
    ...(endSeconds === null ? {} : { end: endSeconds }),
  };
  return askFor(asking, { api: 'data', path: '/activity', query }, page);
}

/** The oldest moment of the rows that name one. */
function oldestOf(rows: readonly unknown[]): EpochMs | null {
  let oldest: EpochMs | null = null;
  for (const value of rows) {
    const at = upstreamTime(row.safeParse(value).data?.timestamp);
    if (at !== null && (oldest === null || at < oldest)) oldest = at;
  }
  return oldest;
}
