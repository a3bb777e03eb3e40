import type { Database } from '../../src/core/database.ts';
import type { PriceDay, WatchedMarket } from '../../src/core/record/prices/watched-market.ts';

/** All prices of the markets that have alerts, by market and day. */
export async function pricesIn({ alerts, prices }: Pick<Database, 'alerts' | 'prices'>): Promise<{
  readonly markets: readonly WatchedMarket[];
  readonly days: readonly PriceDay[];
}> {
  const ids = new Set((await alerts.after(0, 100_000)).map(({ marketId }) => marketId));
  const markets = await prices.markets([...ids]);
  const days = await Promise.all(
    [...ids].sort().map((id) => prices.days(id, { from: 0, before: 1e6, limit: 1e6 })),
  );
  return { markets: markets.toSorted((a, b) => (a.marketId < b.marketId ? -1 : 1)), days: days.flat() };
}
