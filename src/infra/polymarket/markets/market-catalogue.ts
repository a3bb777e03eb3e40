import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { MarketSource } from '../../../core/source/market-source.ts';
import type { DropReason, LiveRow } from '../../../core/source/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import type { MarketClient } from '../client/market-client.ts';
import { GammaMarkets } from './gamma-markets.ts';
import { type DescribedShare, MarketCache } from './market-cache.ts';
import { marketLine, marketOf } from './market-line.ts';
import { MarketRefresh, REFRESH_AFTER_MS } from './market-refresh.ts';
import type { TokenMemory } from './token-memory.ts';

/** Constructor options of `MarketCatalogue`. */
interface CatalogueOptions {
  readonly client: Pick<MarketClient, 'get'>;
  readonly categorise: Categorise;
  /** Learns the tokens of each market that is described. */
  readonly tokens: Pick<TokenMemory, 'learnMarket'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'marketsUndescribed'>;
  readonly onDrop: (reason: DropReason, detail: string) => void;
}

/** Describes markets as Gamma knows them, and refreshes the descriptions of those that are traded. */
export class MarketCatalogue implements MarketSource {
  readonly #options: CatalogueOptions;
  readonly #gamma: GammaMarkets;
  readonly #cache: MarketCache;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#gamma = new GammaMarkets(options);
    this.#cache = new MarketCache(options.clock);
  }

  async describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await this.#gamma.ask(marketIds, signal);
    for (const id of marketIds) if (!answers.has(id)) this.#cache.missed(id);
    return [...answers.values()].flatMap((value) => this.#read(value));
  }

  /** As `describe`, without asking for markets that were described in the last half hour. */
  async describeNew(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const since = this.#options.clock.now() - REFRESH_AFTER_MS;
    const known = marketIds.flatMap((id) => this.#cache.since(id, since) ?? []);
    const knownIds = new Set(known.map((live) => marketOf(live).id));
    const asked = marketIds.filter((id) => !knownIds.has(id));
    return asked.length === 0 ? known : [...known, ...(await this.describe(asked, signal))];
  }

  /** The rows of the markets of these tokens, as far as they are known. Rejects when Gamma fails. */
  async describeTokens(tokenIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await this.#gamma.askTokens(tokenIds, signal);
    return [...new Set(answers.values())].flatMap((value) => this.#read(value));
  }

  /** A trade of the market was shown. */
  touched(marketId: string): void {
    this.#cache.touch(marketId);
  }

  /** The last description of a market; null when none is kept. */
  cached(marketId: string): LiveRow | null {
    return this.#cache.get(marketId);
  }

  /** Counts of the markets that were traded in the last hour and asked for. */
  described(): DescribedShare {
    return this.#cache.described(this.#options.clock.now() - HOUR_MS);
  }

  /** Refreshes traded markets until the signal aborts, and enqueues those whose description changed. Never rejects. */
  run(signal: AbortSignal, enqueue: (rows: readonly LiveRow[]) => Promise<void>): Promise<void> {
    const { categorise, clock, logger, metrics } = this.#options;
    const refresh = new MarketRefresh({
      ...{ cache: this.#cache, categorise, clock, logger, enqueue },
      describe: (ids, life) => this.describe(ids, life),
      onLook: () => metrics.marketsUndescribed(this.described().undescribed),
    });
    return refresh.run(signal);
  }

  #read(value: unknown): readonly LiveRow[] {
    const { categorise, tokens, clock, logger, onDrop } = this.#options;
    const live = marketLine(value, { now: clock.now(), categorise });
    if ('line' in live) {
      const market = marketOf(live);
      this.#cache.put(market.id, live);
      tokens.learnMarket(market);
      return [live];
    }
    onDrop(live.reason, live.detail);
    logger.debug({ reason: live.reason, detail: live.detail }, 'market row invalid');
    return [];
  }
}
