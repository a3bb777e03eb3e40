import type { AlertStore } from '../../../core/alerts/alert-store.ts';
import type { Settlements } from '../../../core/alerts/settlements/settlements.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import { Intake } from '../../../core/ingest/intake.ts';
import type { Metrics } from '../../../core/metrics.ts';
import { Coverage } from '../../../core/trades/coverage/coverage.ts';
import type { StoredCoverage } from '../../../core/trades/coverage/stored-coverage.ts';
import type { Knowledge, LiveFeed, LiveRow, SourceStatus } from '../../../core/trades/source/source.ts';
import type { WalletAges } from '../../../core/trades/source/wallet-ages.ts';
import type { SourceDeps } from '../tapes/source-deps.ts';
import { HttpMarketClient } from './client/http-market-client.ts';
import type { MarketUrls } from './client/market-client.ts';
import type { RequestBudget } from './client/request-budget.ts';
import { MarketCatalogue } from './markets/market-catalogue.ts';
import { TokenCatalogue } from './markets/token-catalogue.ts';
import { ResolutionStream } from './resolutions/resolution-stream.ts';
import { ResolutionWatch } from './resolutions/resolution-watch.ts';
import { TradeSources } from './trades/trade-sources.ts';
import { WalletFactsReader } from './wallets/wallet-facts-reader.ts';

export const POLYMARKET = 'polymarket';

interface PolymarketFeedOptions extends SourceDeps {
  readonly market: MarketUrls;
  readonly alerts: Pick<AlertStore, 'unresolvedMarkets' | 'ofMarket' | 'settledMarkets'>;
  readonly settlements: Pick<Settlements, 'ofMarket'>;
  readonly coverage: StoredCoverage;
  readonly ages: WalletAges;
  /** Shared by all runs, as the market counts all requests of this host. */
  readonly budget: RequestBudget;
  readonly metrics: Metrics;
  readonly random: () => number;
  readonly maxAgeDays: number;
}

export class PolymarketFeed implements LiveFeed {
  readonly name = POLYMARKET;
  readonly #options: PolymarketFeedOptions;
  readonly #client: HttpMarketClient;
  readonly #catalogue: MarketCatalogue;
  readonly #tokens: TokenCatalogue;
  readonly #intake: Intake;
  readonly #coverage: Coverage;
  /** Null until the record of the coverage is open, which decides from when on trades are wanted. */
  #sources: TradeSources | null = null;

  constructor(options: PolymarketFeedOptions) {
    const { market, budget, onDrop, ages, clock, random, logger, metrics, maxAgeDays } = options;
    this.#options = options;
    const client = new HttpMarketClient({ market, budget, clock, metrics });
    const catalogue = new MarketCatalogue({
      client,
      clock,
      logger,
      metrics,
      onDrop,
      onMarket: (described) => this.#tokens.learnMarket(described),
    });
    const listedUntil = () => this.#sources?.listedUntil ?? null;
    this.#client = client;
    this.#catalogue = catalogue;
    this.#tokens = new TokenCatalogue(catalogue, clock, logger);
    this.#intake = new Intake({
      clock,
      random,
      logger,
      metrics,
      facts: new WalletFactsReader({
        client,
        ages,
        clock,
        metrics,
        maxAgeDays,
        listedUntil,
        routes: budget.routes,
      }),
      markets: { describe: (ids, signal) => catalogue.describeNew(ids, signal) },
    });
    const oldestWaiting = () => this.#oldestWaiting();
    this.#coverage = new Coverage({ store: options.coverage, clock, logger, metrics, oldestWaiting });
  }

  async *batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const sources = await this.#openSources(knowledge);
    this.#sources = sources;
    const fault = new AbortController();
    const life = AbortSignal.any([signal, fault.signal]);
    const parts = [
      sources.run(life),
      ...this.#watchResolutions(life),
      this.#catalogue.run(life, (rows) => this.#intake.enqueue(rows)),
    ];
    const work = Promise.all(parts.map((part) => part.catch((error: unknown) => fault.abort(error))));
    // Ends after the others, so that what they confirm last is written too.
    const recordEnd = new AbortController();
    const record = this.#coverage.run(recordEnd.signal);
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
    const failure = this.#coverage.status()?.failure ?? null;
    return { ...this.#sources.status(), waiting: this.#intake.status(), failure };
  }

  /** From which a restart reads again. */
  #oldestWaiting(): EpochMs | null {
    const moments = [this.#intake.oldestWaiting(), this.#sources?.oldestWaiting() ?? null];
    const known = moments.filter((at) => at !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  async #openSources(knowledge: Knowledge): Promise<TradeSources> {
    const { market, clock, random, logger, metrics, onDrop } = this.#options;
    const intake = this.#intake;
    const { wantedFrom } = await this.#coverage.open();
    return new TradeSources({
      clock,
      random,
      logger,
      metrics,
      onDrop,
      market,
      coverage: this.#coverage,
      wantedFrom,
      client: this.#client,
      tokens: this.#tokens,
      knows: (trade) => knowledge.hasSeen(trade) || intake.isInFlight(trade),
      enqueue: (rows, options) => intake.enqueue(rows, options),
      onTrade: (trade) => {
        this.#catalogue.touched(trade.marketId);
        this.#tokens.learn(trade);
      },
    });
  }

  #watchResolutions(life: AbortSignal): readonly Promise<void>[] {
    const { market, alerts, settlements, clock, random, logger, metrics } = this.#options;
    const watch = new ResolutionWatch({
      alerts,
      settlements,
      clock,
      random,
      logger,
      metrics,
      client: this.#client,
      catalogue: this.#catalogue,
      enqueue: (rows) => this.#intake.enqueue(rows),
    });
    const stream = new ResolutionStream({
      clock,
      random,
      logger,
      metrics,
      url: `${market.clobUrl}/ws/market`,
      proxies: market.proxies,
      assets: () => watch.assets,
      onResolved: (marketId) => watch.resolved(marketId),
    });
    return [watch.run(life), stream.run(life)];
  }
}
