import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Coverage } from '../../../core/trades/coverage/coverage.ts';
import type { MarketClock } from './client/market-clock.ts';

/** The record of the feed's health, in the market's time. */
export type MarketCoverage = Pick<Coverage, 'fresh' | 'confirmed' | 'failed' | 'provisional'> & {
  /** How far back the first walk must reach; null at the very first start. Call it once the market's time is known. */
  wantedFrom(): EpochMs | null;
};

/** Opens the record and converts between the sources' time (the market's) and the record's (the host's). */
export async function openInMarketTime(
  feedHealth: Coverage,
  clock: Pick<MarketClock, 'fromHost' | 'toHost'>,
): Promise<MarketCoverage> {
  const { wantedFrom } = await feedHealth.open();
  const optional = (at?: EpochMs) => (at === undefined ? undefined : clock.toHost(at));
  return {
    fresh: (at) => feedHealth.fresh(clock.toHost(at)),
    confirmed: ({ from, until }) =>
      feedHealth.confirmed({ from: clock.toHost(from), until: clock.toHost(until) }),
    failed: (cause, completeUntil) => feedHealth.failed(cause, optional(completeUntil)),
    provisional: (isProvisional, since) => feedHealth.provisional(isProvisional, optional(since)),
    wantedFrom: () => (wantedFrom === null ? null : clock.fromHost(wantedFrom)),
  };
}

/** The earliest of the market's moments in the host's time, from which a restart reads again. Null when there is none. */
export function oldestInHostTime(
  moments: readonly (EpochMs | null)[],
  clock: Pick<MarketClock, 'toHost'>,
): EpochMs | null {
  const known = moments.filter((at) => at !== null);
  return known.length === 0 ? null : clock.toHost(Math.min(...known));
}
