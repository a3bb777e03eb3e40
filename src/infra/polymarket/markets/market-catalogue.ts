import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { MarketSource } from '../../../core/source/market-source.ts';
import type { DropReason, LiveRow } from '../../../core/source/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import type { MarketClient } from '../client/market-client.ts';
import { GammaMarkets } from './gamma-markets.ts';
import { createMarketCache, type DescribedShare } from './market-cache.ts';
import { marketLine, marketOf } from './market-line.ts';
import { createMarketRefresh, REFRESH_AFTER_MS } from './market-refresh.ts';
import type { TokenMemory } from './token-memory.ts';

export interface MarketCatalogue extends MarketSource {
  /** As `describe`, without asking for markets that were described in the last half hour. */
  describeNew: MarketSource['describe'];
  /** The rows of the markets whose tokens these are, those it knows. Rejects when it did not answer. */
  describeTokens(tokenIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]>;
  /** A trade of the market was seen. */
  touched(marketId: string): void;
  /** What was last said of a market; null when it is not kept. */
  cached(marketId: string): LiveRow | null;
  /** Of the markets that were traded in the last hour and asked for: how many there are, and how many are not described. */
  described(): DescribedShare;
  /** Refreshes markets that were traded since, until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface CatalogueDeps {
  readonly client: Pick<MarketClient, 'get'>;
  readonly categorise: Categorise;
  /** Learns the tokens of each market that is described. */
  readonly tokens: Pick<TokenMemory, 'learnMarket'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'marketsUndescribed'>;
  readonly onDrop: (reason: DropReason, detail: string) => void;
  /** Takes the rows of markets that are described otherwise than before. */
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
}

/** Describes markets as Gamma knows them, and keeps the descriptions of those that are traded from growing old. */
export function createMarketCatalogue(deps: CatalogueDeps): MarketCatalogue {
  const { categorise, tokens, clock, logger } = deps;
  const gamma = new GammaMarkets(deps);
  const cache = createMarketCache(clock);

  function read(value: unknown): readonly LiveRow[] {
    const live = marketLine(value, { now: clock.now(), categorise });
    if ('line' in live) {
      const market = marketOf(live);
      cache.put(market.id, live);
      tokens.learnMarket(market);
      return [live];
    }
    deps.onDrop(live.reason, live.detail);
    logger.debug({ reason: live.reason, detail: live.detail }, 'a market cannot be used');
    return [];
  }

  async function describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await gamma.ask(marketIds, signal);
    for (const id of marketIds) if (!answers.has(id)) cache.missed(id);
    return [...answers.values()].flatMap(read);
  }

  const described = () => cache.described(clock.now() - HOUR_MS);

  return {
    describe,
    async describeNew(marketIds, signal) {
      const known = marketIds.flatMap((id) => cache.since(id, clock.now() - REFRESH_AFTER_MS) ?? []);
      const knownIds = new Set(known.map((live) => marketOf(live).id));
      const asked = marketIds.filter((id) => !knownIds.has(id));
      return asked.length === 0 ? known : [...known, ...(await describe(asked, signal))];
    },
    async describeTokens(tokenIds, signal) {
      const answers = await gamma.askTokens(tokenIds, signal);
      return [...new Set(answers.values())].flatMap(read);
    },
    touched: cache.touch,
    cached: cache.get,
    described,
    run: createMarketRefresh({
      ...deps,
      describe,
      cache,
      onLook: () => deps.metrics.marketsUndescribed(described().undescribed),
    }),
  };
}
