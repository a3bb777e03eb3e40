import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { MarketSource } from '../../../../core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Market } from '../../../../core/trades/trade.ts';
import type { FeedTools } from '../client/market-client.ts';
import { gammaMarkets, gammaMarketsOfTokens } from './gamma-markets.ts';
import { marketLine, marketOf, withFields } from './market-line.ts';

/** Maximum age of a traded market's description: its volume, end and tags change. */
const REFRESH_AFTER_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const BATCH = 25;
/** At most two requests a batch: 10 in 10 s of the 135 in the budget. Requests for new markets come first. */
const BATCH_PAUSE_MS = 2_000;
/** Markets kept: more than are traded in a day; about 40 MB of heap. */
const MARKETS_MAX = 20_000;

interface CachedMarket {
  /** Null: traded, and not described yet. */
  live: LiveRow | null;
  askedAt: EpochMs;
  /** Traded since it was asked for. */
  isTouched: boolean;
  touchedAt: EpochMs | null;
  isMissing: boolean;
}

interface CatalogueOptions extends Omit<FeedTools, 'random'> {
  readonly onMarket: (market: Market) => void;
  readonly metrics: Pick<Metrics, 'marketsUndescribed'>;
}

/** Describes markets as Gamma knows them, and refreshes the descriptions of those that are traded. */
export class MarketCatalogue implements MarketSource {
  readonly #options: CatalogueOptions;
  readonly #markets = new LRUCache<string, CachedMarket>({ max: MARKETS_MAX });
  #due: readonly string[] = [];

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  async describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await gammaMarkets(this.#options.client, marketIds, signal);
    for (const id of marketIds) if (!answers.has(id)) this.#keep(id, { isMissing: true });
    return [...answers.values()].flatMap((value) => this.#read(value));
  }

  /** As `describe`, without asking for markets that were described in the last half hour. */
  async describeNew(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const since = this.#options.clock.now() - REFRESH_AFTER_MS;
    const isKnown = (id: string) =>
      (this.#markets.peek(id)?.askedAt ?? 0) >= since && this.cached(id) !== null;
    const known = marketIds.filter(isKnown).flatMap((id) => this.cached(id) ?? []);
    const asked = marketIds.filter((id) => !isKnown(id));
    return asked.length === 0 ? known : [...known, ...(await this.describe(asked, signal))];
  }

  async describeTokens(tokenIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const answers = await gammaMarketsOfTokens(this.#options.client, tokenIds, signal);
    return [...new Set(answers.values())].flatMap((value) => this.#read(value));
  }

  touched(marketId: string): void {
    this.#keep(marketId, { isTouched: true, touchedAt: this.#options.clock.now() });
  }

  cached(marketId: string): LiveRow | null {
    return this.#markets.peek(marketId)?.live ?? null;
  }

  /** Refreshes traded markets until the signal aborts, and enqueues those whose description changed. Never rejects. */
  run(signal: AbortSignal, enqueue: (rows: readonly LiveRow[]) => Promise<void>): Promise<void> {
    const { clock, logger } = this.#options;
    const refresh = async () => {
      const changed = await this.#refreshNext(signal);
      if (changed.length > 0) await enqueue(changed);
    };
    return repeat(refresh, {
      clock,
      signal,
      intervalMs: () => (this.#due.length > 0 ? BATCH_PAUSE_MS : LOOK_EVERY_MS),
      failures: new FailureLog(logger, 'market refresh failed; retrying'),
    });
  }

  async #refreshNext(signal: AbortSignal): Promise<readonly LiveRow[]> {
    const { clock, metrics } = this.#options;
    const due = this.#due.length > 0 ? this.#due : this.#dueMarkets();
    const batch = due.slice(0, BATCH);
    // A failure leaves the others to the next look.
    this.#due = [];
    try {
      const changed = batch.length > 0 ? await this.#changed(batch, signal) : [];
      this.#due = due.slice(BATCH);
      return changed;
    } catch (error) {
      for (const id of batch) this.touched(id);
      throw error;
    } finally {
      metrics.marketsUndescribed(this.#undescribed(clock.now() - HOUR_MS));
    }
  }

  #dueMarkets(): readonly string[] {
    const before = this.#options.clock.now() - REFRESH_AFTER_MS;
    return [...this.#markets.entries()]
      .filter(([, { isTouched, askedAt }]) => isTouched && askedAt <= before)
      .sort(([, a], [, b]) => a.askedAt - b.askedAt)
      .map(([id]) => id);
  }

  #undescribed(since: EpochMs): number {
    const isLacking = ({ live, isMissing, touchedAt }: CachedMarket) =>
      live === null && isMissing && touchedAt !== null && touchedAt >= since;
    return [...this.#markets.values()].filter(isLacking).length;
  }

  async #changed(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]> {
    const before = new Map(marketIds.map((id) => [id, this.cached(id)]));
    // Whatever the answer, they are not due again before their time.
    for (const id of marketIds) this.#keep(id, { askedAt: this.#options.clock.now(), isTouched: false });
    const rows = (await this.describe(marketIds, signal)).map((live) => this.#unpriced(live));
    return rows.filter((live) => {
      const earlier = before.get(marketOf(live).id) ?? null;
      return earlier === null || this.#unpriced(earlier).line !== live.line;
    });
  }

  /** Without prices: they change all the time, and payouts are left to the resolution watch. */
  #unpriced(live: LiveRow): LiveRow {
    const prices = { outcomePrices: null, resolvedPayouts: null };
    const without = withFields(live, prices);
    return 'line' in without ? without : live;
  }

  #read(value: unknown): readonly LiveRow[] {
    const { onMarket, clock, logger, onDrop } = this.#options;
    const live = marketLine(value);
    if ('line' in live) {
      const market = marketOf(live);
      this.#keep(market.id, { live, askedAt: clock.now(), isTouched: false, isMissing: false });
      onMarket(market);
      return [live];
    }
    onDrop(live.reason);
    logger.debug({ reason: live.reason, detail: live.detail }, 'market row invalid');
    return [];
  }

  #keep(marketId: string, change: Partial<CachedMarket>): void {
    const askedAt = this.#options.clock.now();
    const none: CachedMarket = { live: null, askedAt, isTouched: false, touchedAt: null, isMissing: false };
    this.#markets.set(marketId, Object.assign(this.#markets.get(marketId) ?? none, change));
  }
}
