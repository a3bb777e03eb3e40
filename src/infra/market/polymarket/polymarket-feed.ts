import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import type { SettlementStore } from '../../../core/alerts/settlement.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { Intake } from '../../../core/ingest/intake.ts';
import type { Metrics } from '../../../core/metrics.ts';
import { Coverage } from '../../../core/trades/coverage/coverage.ts';
import type { CoverageStore } from '../../../core/trades/coverage/coverage-store.ts';
import type { Knowledge, LiveFeed, LiveRow, SourceStatus } from '../../../core/trades/source/source.ts';
import type { WalletAgeStore } from '../../../core/trades/source/wallet-age-store.ts';
import type { SourceDeps } from '../tapes/source-deps.ts';
import { exchangesOf } from './chain/order-filled.ts';
import { HttpMarketClient } from './client/http-market-client.ts';
import type { MarketClient, MarketUrls } from './client/market-client.ts';
import { MarketClock } from './client/market-clock.ts';
import type { RequestBudget } from './client/request-budget.ts';
import { type MarketCoverage, oldestInHostTime, openInMarketTime } from './coverage-in-market-time.ts';
import { MarketCatalogue } from './markets/market-catalogue.ts';
import { TokenCatalogue } from './markets/token-catalogue.ts';
import { TokenMemory } from './markets/token-memory.ts';
import { TradeSources } from './merge/trade-sources.ts';
import { ResolutionStream } from './resolutions/resolution-stream.ts';
import { ResolutionWatch } from './resolutions/resolution-watch.ts';
import { POLYMARKET } from './source-name.ts';
import { WalletFactsReader } from './wallets/wallet-facts-reader.ts';

/** Constructor options of `PolymarketFeed`. */
interface PolymarketFeedOptions extends SourceDeps {
  readonly market: MarketUrls;
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket'>;
  readonly resolutions: SettlementStore;
  readonly feedHealth: CoverageStore;
  readonly ages: WalletAgeStore;
  /** Shared by all runs and the doctor, as the market counts all requests of this host. */
  readonly budget: RequestBudget;
  readonly metrics: Metrics;
  /** From 0 up to 1, for jitter. */
  readonly random: () => number;
  /** Maximum age of a fresh wallet, by the rules. */
  readonly maxAgeDays: number;
  /** Called with the market's time, now, whenever an answer confirms it. */
  readonly onMarketTime?: (time: EpochMs) => void;
}

/** Polymarket as a live feed, for one run: its parts, connected. */
export class PolymarketFeed implements LiveFeed {
  readonly name = POLYMARKET;
  readonly #options: PolymarketFeedOptions;
  /** The market's time. */
  readonly #clock: MarketClock;
  readonly #client: MarketClient;
  readonly #catalogue: MarketCatalogue;
  readonly #tokens: TokenCatalogue;
  readonly #intake: Intake;
  readonly #feedHealth: Coverage;
  /** Null until the record of the feed's health is open, which decides from when on trades are wanted. */
  #sources: TradeSources | null = null;

  constructor(options: PolymarketFeedOptions) {
    const { market, budget, onDrop, ages, clock, random, logger, metrics, maxAgeDays } = options;
    const { onMarketTime = () => {} } = options;
    this.#options = options;
    this.#clock = new MarketClock({ clock, logger, metrics, onTime: onMarketTime });
    const client = new HttpMarketClient({ market, budget, clock, marketClock: this.#clock, metrics });
    const memory = new TokenMemory();
    const catalogue = new MarketCatalogue({
      ...{ client, clock, logger, metrics, onDrop },
      tokens: memory,
    });
    const listedUntil = () => this.#sources?.listedUntil ?? null;
    this.#client = client;
    this.#catalogue = catalogue;
    this.#tokens = new TokenCatalogue({ memory, markets: catalogue, clock, logger });
    this.#intake = new Intake({
      ...{ clock, random, logger, metrics },
      facts: new WalletFactsReader({
        ...{ client, ages, clock, metrics, maxAgeDays, listedUntil },
        routes: budget.routes,
      }),
      markets: { describe: (ids, signal) => catalogue.describeNew(ids, signal) },
    });
    const oldestWaiting = () => this.#oldestWaiting();
    this.#feedHealth = new Coverage({ store: options.feedHealth, clock, logger, metrics, oldestWaiting });
  }

  /** Runs all parts. Must be called once. Throws the error of a part that fails. */
  async *batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const feedHealth = await openInMarketTime(this.#feedHealth, this.#clock);
    const sources = this.#openSources(feedHealth, (trade) => knowledge.hasSeen(trade));
    this.#sources = sources;
    const fault = new AbortController();
    const life = AbortSignal.any([signal, fault.signal]);
    const watch = this.#openResolutions();
    const parts = [
      sources.run(life),
      watch.resolutions.run(life),
      watch.stream.run(life),
      this.#catalogue.run(life, this.#enqueue),
    ];
    const work = Promise.all(parts.map((part) => part.catch((error: unknown) => fault.abort(error))));
    // Ends after the others, so that what they confirm last is written too.
    const recordEnd = new AbortController();
    const record = this.#feedHealth.run(recordEnd.signal);
    try {
      yield* this.#intake.batches(life, knowledge);
      fault.signal.throwIfAborted();
    } finally {
      fault.abort();
      await work;
      recordEnd.abort();
      await record;
      await this.#client.close();
    }
  }

  status(): SourceStatus {
    if (this.#sources === null) return { state: 'starting', progress: null, historyProgress: null };
    const failure = this.#feedHealth.status()?.failure ?? null;
    return { ...this.#sources.status(), waiting: this.#intake.status(), failure };
  }

  readonly #enqueue: Intake['enqueue'] = (rows, options) => this.#intake.enqueue(rows, options);

  #oldestWaiting(): EpochMs | null {
    const moments = [this.#intake.oldestWaiting(), this.#sources?.oldestWaiting() ?? null];
    return oldestInHostTime(moments, this.#clock);
  }

  #openSources(feedHealth: MarketCoverage, hasSeen: Knowledge['hasSeen']): TradeSources {
    const { market, random, logger, metrics, onDrop } = this.#options;
    return new TradeSources({
      ...{ random, logger, metrics, onDrop, feedHealth },
      clock: this.#clock,
      client: this.#client,
      streamUrl: market.streamUrl,
      rpcUrl: market.rpcUrl,
      exchanges: exchangesOf(market),
      tokens: this.#tokens,
      knows: (trade) => hasSeen(trade) || this.#intake.isInFlight(trade),
      enqueue: this.#enqueue,
      onTrade: (trade) => {
        this.#catalogue.touched(trade.marketId);
        this.#tokens.learn(trade);
      },
    });
  }

  #openResolutions(): { readonly resolutions: ResolutionWatch; readonly stream: ResolutionStream } {
    const { market, alerts, resolutions, clock, random, logger, metrics } = this.#options;
    const watch = new ResolutionWatch({
      ...{ alerts, resolutions, clock, random, logger, metrics },
      client: this.#client,
      catalogue: this.#catalogue,
      enqueue: this.#enqueue,
    });
    const stream = new ResolutionStream({
      ...{ clock, random, logger, metrics },
      url: `${market.clobUrl}/ws/market`,
      assets: () => watch.assets,
      onResolved: (marketId) => watch.resolved(marketId),
    });
    return { resolutions: watch, stream };
  }
}
