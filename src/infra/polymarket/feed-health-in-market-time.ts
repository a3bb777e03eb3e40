import type { FeedHealth } from '../../core/feed-health/feed-health.ts';
import type { EpochMs } from '../../core/trade.ts';
import type { MarketClock } from './client/market-clock.ts';

/** The record, spoken to in the market's time. */
export type MarketFeedHealth = Pick<FeedHealth, 'fresh' | 'confirmed' | 'failed' | 'provisional'> & {
  /** How far back the first walk must reach; null at the very first start. Ask once the market's time is known. */
  wantedFrom(): EpochMs | null;
};

/** Opens the record. It is the border between two times: sources speak in the market's, the record is in the host's. */
export async function openInMarketTime(
  feedHealth: FeedHealth,
  { fromHost, toHost }: Pick<MarketClock, 'fromHost' | 'toHost'>,
): Promise<MarketFeedHealth> {
  const { wantedFrom } = await feedHealth.open();
  const optional = (at?: EpochMs) => (at === undefined ? undefined : toHost(at));
  return {
    fresh: (at) => feedHealth.fresh(toHost(at)),
    confirmed: ({ from, until }) => feedHealth.confirmed({ from: toHost(from), until: toHost(until) }),
    failed: (cause, completeUntil) => feedHealth.failed(cause, optional(completeUntil)),
    provisional: (isProvisional, since) => feedHealth.provisional(isProvisional, optional(since)),
    wantedFrom: () => (wantedFrom === null ? null : fromHost(wantedFrom)),
  };
}

/** The earliest of the moments of the market, null for none, by the host's clock: what a restart has to read again. */
export function oldestInHostTime(
  oldests: readonly (() => EpochMs | null)[],
  { toHost }: Pick<MarketClock, 'toHost'>,
): EpochMs | null {
  const moments = oldests.map((oldest) => oldest()).filter((at) => at !== null);
  return moments.length === 0 ? null : toHost(Math.min(...moments));
}
