import type { Database } from '../../src/core/database.ts';
import type { ObservedHour, ObservedMarket } from '../../src/core/record/observations/observation-store.ts';

/** All that is observed of the markets that have alerts, by market and hour. */
export async function observationsOf({
  alerts,
  observations,
}: Pick<Database, 'alerts' | 'observations'>): Promise<{
  readonly markets: readonly ObservedMarket[];
  readonly hours: readonly ObservedHour[];
}> {
  const ids = new Set((await alerts.after(0, 100_000)).map(({ marketId }) => marketId));
  const markets: ObservedMarket[] = [];
  const hours: ObservedHour[] = [];
  for (const id of [...ids].sort()) {
    const market = await observations.market(id);
    if (market !== null) markets.push(market);
    hours.push(...(await observations.hours(id, { from: 0, until: 1e13, limit: 1_000_000 })));
  }
  return { markets, hours };
}
