import { setTimeout as delay } from 'node:timers/promises';
import type { MarketProfile } from './market-profile.ts';
import type { MarketTape } from './market-tape.ts';
import { type MarketStandIn, startMarket } from './start-market.ts';
import { startServiceAtTapeTime } from './start-service-at-tape-time.ts';
import { createTapeClock } from './tape-clock.ts';

/** A service on a tape that runs through without a pause; the most it asked of the market in any 10 s. */
export async function measureBudget({
  tape,
  url,
  speed,
  profile,
}: {
  tape: MarketTape;
  url: string;
  speed: number;
  profile: Partial<MarketProfile>;
}): Promise<ReturnType<MarketStandIn['largestShare']>> {
  const clock = createTapeClock({ time: tape.timeOf(0) * 1_000, speed });
  const market = await startMarket({ tape, clock, profile });
  const settings = { DATABASE_URL: url, MARKET_SOURCE: 'polymarket', ROLES: 'ingest', ...market.settings };
  const service = startServiceAtTapeTime(settings, clock);
  try {
    await service.logged('ingesting');
    const end = tape.timeOf(tape.count - 1) * 1_000;
    await delay((end - clock.now()) / speed);
    return market.largestShare();
  } finally {
    await service.end('SIGKILL');
    await market.close();
  }
}
