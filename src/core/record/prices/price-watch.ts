import { repeatUntil } from '../../base/async/repeat.ts';
import { type Lease, LeaseLost } from '../../base/lease/lease.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { Candidate } from '../../detection/candidate.ts';
import type { MarketFacts } from '../../detection/market-memory.ts';
import type { Order, OrderListener } from '../../detection/order.ts';
import type { Market } from '../../trades/trade.ts';
import { MarketWatch } from './market-watch.ts';
import type { Prices } from './prices.ts';
import { assetOf, type PriceBatch, type PriceDay } from './watched-market.ts';

/** Documents in one write or read. */
const BATCH = 200;
/** A tape at full speed passes days in a second: prices are written when so many documents wait. */
const WAITING_MOST = 1_000;

/** When an alert was found. */
export interface FoundTimes {
  /** The source's time when its order was closed. */
  readonly closedAt: EpochMs;
  /** The same on a tape; on a live source, when it was accepted and published. */
  readonly detectedAt: EpochMs;
}

interface PriceWatchDeps {
  readonly prices: Pick<Prices, 'write' | 'markets' | 'open'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Watches the prices of all markets with alerts until they are settled, for one run under one lease. A failure ends the run. */
export class PriceWatch implements OrderListener {
  readonly #deps: PriceWatchDeps;
  readonly #lease: Lease;
  readonly #markets = new Map<string, MarketWatch>();
  #changed = new Set<MarketWatch>();
  #days: PriceDay[] = [];

  constructor({ prices, clock }: PriceWatchDeps, lease: Lease) {
    this.#deps = { prices, clock };
    this.#lease = lease;
  }

  /** Loads the unsettled markets. Must be called when the detector's state is restored or rebuilt. */
  async open(): Promise<void> {
    const { prices, clock } = this.#deps;
    let after = '';
    const loadPage = async () => {
      const markets = await prices.open({ after, limit: BATCH });
      for (const market of markets) this.#markets.set(market.marketId, new MarketWatch(market));
      after = markets.at(-1)?.marketId ?? after;
      return markets.length < BATCH;
    };
    await repeatUntil(loadPage, { clock, intervalMs: 0 });
  }

  isWatched(marketId: string): boolean {
    return this.#markets.has(marketId);
  }

  order(order: Order): void {
    const watch = this.#markets.get(order.fill.marketId);
    if (watch === undefined) return;
    const ended = watch.order(order);
    if (ended !== null) this.#days.push(ended);
    this.#changed.add(watch);
  }

  /** Watches the market of an alert from now on. An alert that is found again after a crash changes nothing. */
  async alert(candidate: Candidate, times: FoundTimes, facts: MarketFacts): Promise<void> {
    const { key, marketId, tradedAt } = candidate;
    const watch = this.#markets.get(marketId) ?? (await this.#begin(candidate, times, facts));
    const found = { key, tradedAt, detectedAt: times.detectedAt, bought: null, later: null };
    if (!watch.addAlert(found)) return;
    this.#markets.set(marketId, watch);
    this.#changed.add(watch);
  }

  market(market: Market, at: EpochMs): void {
    const watch = this.#markets.get(market.id);
    if (watch?.learn(market, at) === true) this.#changed.add(watch);
  }

  /** Whether so much waits that it should be written before the next snapshot. */
  get isDue(): boolean {
    return this.#changed.size + this.#days.length >= WAITING_MOST;
  }

  /** Writes all changes, and forgets settled markets. Throws `LeaseLost` when another process has taken over. */
  async flush(): Promise<void> {
    const [days, changed] = [this.#days, [...this.#changed]];
    this.#days = [];
    this.#changed = new Set();
    for (let first = 0; first < days.length; first += BATCH)
      await this.#write({ days: days.slice(first, first + BATCH), markets: [] });
    for (let first = 0; first < changed.length; first += BATCH) {
      const markets = changed.slice(first, first + BATCH).map(({ market }) => market);
      await this.#write({ days: [], markets });
      for (const { marketId, settledAt } of markets) if (settledAt !== null) this.#markets.delete(marketId);
    }
  }

  /** Where it was settled before, the time is not remembered. Orders up to the closing were seen before: the line begins there. */
  async #begin(candidate: Candidate, { closedAt }: FoundTimes, facts: MarketFacts): Promise<MarketWatch> {
    const { marketId, entryPrice } = candidate;
    const [stored] = await this.#deps.prices.markets([marketId]);
    return new MarketWatch(
      stored ?? {
        marketId,
        baseAsset: assetOf(candidate),
        endsAt: facts.endsAt,
        settledAt: facts.isSettled ? closedAt : null,
        alerts: [],
        points: [[Math.floor(closedAt / SECOND_MS), entryPrice]],
      },
    );
  }

  async #write(batch: PriceBatch): Promise<void> {
    const { prices, clock } = this.#deps;
    if (!(await prices.write(this.#lease, batch)))
      throw new LeaseLost('price write refused: another process ingests now');
    // Requests are answered between two writes.
    await clock.sleep(0);
  }
}
