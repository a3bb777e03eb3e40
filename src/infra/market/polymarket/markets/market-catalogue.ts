import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { MarketSource } from '../../../../core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { FeedTools } from '../feed-tools.ts';
import { GammaMarkets } from './gamma-markets.ts';
import { marketLine, marketOf, withFields } from './market-line.ts';
import type { TokenMemory } from './token-memory.ts';

/** Maximum age of a traded market's description: its volume, end and tags change. */
const REFRESH_AFTER_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const BATCH = 25;
/** At most two requests a batch: 10 in 10 s of the 135 in the budget. Requests for new markets come first. */
const BATCH_PAUSE_MS = 2_000;

type Enqueue = (rows: readonly LiveRow[]) => Promise<void>;

/** Constructor options of `MarketCatalogue`. */
interface CatalogueOptions extends Omit<FeedTools, 'random'> {
  /** Learns the tokens of each market that is described. */
  readonly tokens: Pick<TokenMemory, 'learnMarket'>;
  readonly metrics: Pick<Metrics, 'marketsUndescribed'>;
}

/** Describes markets as Gamma knows them, and refreshes the descriptions of those that are traded. */
export class MarketCatalogue implements MarketSource {
  readonly #options: CatalogueOptions;
  readonly #gamma: GammaMarkets;
  readonly #cache: MarketCache;
  /** Markets of this minute that are still to be refreshed. */
  #due: readonly string[] = [];

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

  /** Refreshes traded markets until the signal aborts, and enqueues those whose description changed. Never rejects. */
  run(signal: AbortSignal, enqueue: Enqueue): Promise<void> {
    const { clock, logger } = this.#options;
    return repeat(() => this.#refreshNext(enqueue, signal), {
      clock,
      signal,
      intervalMs: () => (this.#due.length > 0 ? BATCH_PAUSE_MS : LOOK_EVERY_MS),
      failures: new FailureLog(logger, 'market refresh failed; retrying'),
    });
  }

  async #refreshNext(enqueue: Enqueue, signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    const due = this.#due.length > 0 ? this.#due : this.#cache.due(clock.now() - REFRESH_AFTER_MS);
    const batch = due.slice(0, BATCH);
    // A failure leaves the others to the next look.
    this.#due = [];
    try {
      if (batch.length > 0) await this.#refresh(batch, enqueue, signal);
      this.#due = due.slice(BATCH);
    } catch (error) {
      for (const id of batch) this.#cache.touch(id);
      throw error;
    } finally {
      metrics.marketsUndescribed(this.#cache.undescribed(clock.now() - HOUR_MS));
    }
  }

  async #refresh(marketIds: readonly string[], enqueue: Enqueue, signal: AbortSignal): Promise<void> {
    const before = new Map(marketIds.map((id) => [id, this.#cache.get(id)]));
    for (const id of marketIds) this.#cache.asked(id);
    const rows = (await this.describe(marketIds, signal)).map((live) => this.#unpriced(live));
    const changed = rows.filter((live) => {
      const earlier = before.get(marketOf(live).id) ?? null;
      return earlier === null || this.#unpriced(earlier).line !== live.line;
    });
    if (changed.length > 0) await enqueue(changed);
  }

  /** Without prices: they change all the time, and payouts are left to the resolution watch. */
  #unpriced(live: LiveRow): LiveRow {
    const unpriced = { outcomePrices: null, resolvedPayouts: null };
    const without = withFields(live, unpriced, this.#options.clock.now());
    return 'line' in without ? without : live;
  }

  #read(value: unknown): readonly LiveRow[] {
    const { tokens, clock, logger, onDrop } = this.#options;
    const live = marketLine(value, clock.now());
    if ('line' in live) {
      const market = marketOf(live);
      this.#cache.put(market.id, live);
      tokens.learnMarket(market);
      return [live];
    }
    onDrop(live.reason);
    logger.debug({ reason: live.reason, detail: live.detail }, 'market row invalid');
    return [];
  }
}

/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MARKETS_MAX = 20_000;

interface CachedMarket {
  /** Null: traded, and not described yet. */
  live: LiveRow | null;
  askedAt: EpochMs;
  /** Traded since it was last asked for. */
  isTouched: boolean;
  /** Time of its last trade here; null before the first. */
  touchedAt: EpochMs | null;
  /** The last question got no answer. */
  isMissing: boolean;
}

/** The last description of each market, and which markets were traded since. */
class MarketCache {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #markets = new LRUCache<string, CachedMarket>({ max: MARKETS_MAX });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Null without a description. */
  get(marketId: string): LiveRow | null {
    return this.#markets.peek(marketId)?.live ?? null;
  }

  /** The description, if the market was described (or asked for) at or after the moment. */
  since(marketId: string, moment: EpochMs): LiveRow | null {
    const cached = this.#markets.peek(marketId);
    return cached !== undefined && cached.askedAt >= moment ? cached.live : null;
  }

  put(marketId: string, live: LiveRow): void {
    this.#keep(marketId, { live, askedAt: this.#clock.now(), isTouched: false, isMissing: false });
  }

  /** The market was traded. */
  touch(marketId: string): void {
    this.#keep(marketId, { isTouched: true, touchedAt: this.#clock.now() });
  }

  /** The market is being asked for: whatever the answer, it is not due again before its time. */
  asked(marketId: string): void {
    this.#keep(marketId, { askedAt: this.#clock.now(), isTouched: false });
  }

  /** The market was asked for, and is unknown. */
  missed(marketId: string): void {
    this.#keep(marketId, { isMissing: true });
  }

  /** Number of the markets that were traded at or after the moment, asked for, and are not described. */
  undescribed(since: EpochMs): number {
    const markets = [...this.#markets.values()];
    return markets.filter(
      ({ live, isMissing, touchedAt }) =>
        live === null && isMissing && touchedAt !== null && touchedAt >= since,
    ).length;
  }

  /** Markets that were last asked for at or before the moment and traded since, the longest ago first. */
  due(before: EpochMs): readonly string[] {
    return [...this.#markets.entries()]
      .filter(([, { isTouched, askedAt }]) => isTouched && askedAt <= before)
      .sort(([, a], [, b]) => a.askedAt - b.askedAt)
      .map(([id]) => id);
  }

  #keep(marketId: string, change: Partial<CachedMarket>): void {
    const cached = this.#markets.get(marketId) ?? newMarket(this.#clock.now());
    this.#markets.set(marketId, Object.assign(cached, change));
  }
}

function newMarket(now: EpochMs): CachedMarket {
  return { live: null, askedAt: now, isTouched: false, touchedAt: null, isMissing: false };
}
