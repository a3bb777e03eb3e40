import type { Clock } from '../../../core/clock.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { MarketSource } from '../../../core/ports/market-source.ts';
import type { DropReason, LiveRow } from '../../../core/ports/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import type { MarketClient } from '../client/market-client.ts';
import { createGammaMarkets } from './gamma-markets.ts';
import { createKeptMarkets } from './kept-markets.ts';
import { marketLine } from './market-line.ts';
import { createMarketRefresh } from './market-refresh.ts';

export interface MarketCatalogue extends MarketSource {
  /** A trade of the market was seen. */
  touched(marketId: string): void;
  /** What was last said of a market; null when it is not kept. */
  kept(marketId: string): LiveRow | null;
  /** Refreshes markets that were traded since, until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface CatalogueDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly categorise: Categorise;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onDrop: (reason: DropReason, detail: string) => void;
  /** Takes the rows of markets that are described otherwise than before. */
  readonly offer: (rows: readonly LiveRow[]) => Promise<void>;
}

/** Describes markets as Gamma knows them, and keeps the descriptions of those that are traded from growing old. */
export function createMarketCatalogue(deps: CatalogueDeps): MarketCatalogue {
  const { categorise, clock, logger } = deps;
  const gamma = createGammaMarkets(deps);
  const kept = createKeptMarkets(clock);

  function read(id: string, value: unknown): readonly LiveRow[] {
    const live = marketLine(value, { now: clock.now(), categorise });
    if ('line' in live) {
      kept.put(id, live);
      return [live];
    }
    deps.onDrop(live.reason, live.detail);
    logger.debug({ marketId: id, reason: live.reason, detail: live.detail }, 'a market cannot be used');
    return [];
  }

  async function describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await gamma.ask(marketIds, signal);
    return [...answers].flatMap(([id, value]) => read(id, value));
  }

  return {
    describe,
    touched: kept.touch,
    kept: kept.get,
    run: createMarketRefresh({ ...deps, describe, kept }),
  };
}
