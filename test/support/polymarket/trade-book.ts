import type { Asked } from './small-market.ts';
import { upstreamTrade } from './upstream-rows.ts';

export interface BookedTrade {
  readonly [name: string]: unknown;
  readonly transactionHash: string;
  readonly timestamp: number;
}

let count = 0;

export function booked(at: number, change: Record<string, unknown> = {}): BookedTrade {
  count += 1;
  const proxyWallet = `0x${String(count).padStart(40, '0')}`;
  const transactionHash = `0x${String(count).padStart(64, '0')}`;
  return { ...upstreamTrade({ proxyWallet, size: 10, timestamp: at, ...change }), transactionHash };
}

/** A page of version 2 of what is listed, newest first, of at most so many rows; a cursor names the last row of the page before. */
export function pageV2(listed: readonly unknown[], { query }: Asked, most = 1_000) {
  const size = Math.min(most, Number(query.get('limit')));
  const cursor = query.get('cursor');
  const key = (row: unknown) => JSON.stringify(row);
  const from = cursor === null ? 0 : listed.findIndex((row) => key(row) === cursor) + 1;
  const data = listed.slice(from, from + size);
  const hasMore = from + size < listed.length;
  return {
    data,
    pagination: { limit: size, offset: 0, has_more: hasMore, next_cursor: hasMore ? key(data.at(-1)) : null },
  };
}

export const freshStatus = {
  data: { serving: { lag_seconds: 2, worst: 'trades' }, ingestion: {}, computed_at: '', age_seconds: 3 },
};
