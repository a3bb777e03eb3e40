import type { Candidate } from '../alert.ts';
import type { Clock } from '../clock.ts';
import type { MarketFacts } from '../detection/market-memory.ts';
import { HOUR_MS, SECOND_MS } from '../duration.ts';
import { LeaseLost } from '../ingest/snapshot-writer.ts';
import type { Lease } from '../ports/lease-store.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { ObservationBatch, ObservationStore } from '../ports/observation-store.ts';
import type { EpochMs, Market } from '../trade.ts';
import { completeSecondOf } from './hour-text.ts';
import type { AlertMoment } from './market-observation.ts';
import type { ObservedHour } from './observed-market.ts';
import type { ComposedHour, Observer } from './observer.ts';

/** Written and read at a time. */
const BATCH = 200;
/** A tape at full speed passes hours of its time in a millisecond: until this is over only full batches are written. */
const WRITE_EVERY_MS = SECOND_MS;

/** Where observations are written. */
export interface ObservationDeps {
  readonly store: ObservationStore;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'hoursObserved'>;
}

/** Brings what an observer keeps into the store, for one run under one lease. After a failure the run is over. */
export class ObservationWriter {
  readonly #deps: ObservationDeps;
  readonly #lease: Lease;
  readonly #observer: Observer;
  #hour: EpochMs = Number.NEGATIVE_INFINITY;
  #writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  #time: EpochMs = Number.NEGATIVE_INFINITY;
  /** Hours that stay as they are stored, and how many of those are counted. */
  #kept = 0;
  #counted = 0;

  constructor(deps: ObservationDeps, lease: Lease, observer: Observer) {
    this.#deps = deps;
    this.#lease = lease;
    this.#observer = observer;
  }

  /** Goes on with the markets that are open. To be called when the state is restored or rebuilt. */
  async open(): Promise<void> {
    const { store, clock } = this.#deps;
    for (let after = ''; ; await clock.sleep(0)) {
      const markets = await store.open({ after, limit: BATCH });
      for (const market of markets) this.#observer.load(market);
      const last = markets.at(-1);
      if (last === undefined || markets.length < BATCH) return;
      after = last.marketId;
    }
  }

  /** Observes the market of an alert, also when it was observed before. */
  async alert(candidate: Candidate, moment: AlertMoment, facts: MarketFacts): Promise<void> {
    if (!this.#observer.isObserved(candidate.marketId)) {
      const stored = await this.#deps.store.market(candidate.marketId);
      const isOver = stored?.isOpen === false;
      // Judged again after a crash: all of it was written before it was closed.
      if (isOver && stored.alerts.some(({ key }) => key === candidate.key)) return;
      if (stored !== null) this.#observer.load(stored);
    }
    this.#observer.alert(candidate, moment, facts);
  }

  /** Hears of a market's own row. */
  market(market: Market, at: EpochMs): void {
    this.#observer.market(market, at);
  }

  /** To be told the source's time after each row. */
  advance(time: EpochMs): void {
    this.#observer.advance(time);
    this.#time = time;
    if (this.#hour === Number.NEGATIVE_INFINITY) this.#hour = hourOf(time);
  }

  /** Whether the source's time went on by an hour since the last flush, and there is enough to write. */
  get isDue(): boolean {
    if (this.#time < this.#hour + HOUR_MS) return false;
    const isLong = Math.abs(this.#deps.clock.now() - this.#writtenAt) >= WRITE_EVERY_MS;
    return isLong || this.#observer.waitingHours >= BATCH;
  }

  /** Writes all that changed. Throws `LeaseLost` when another process ingests by now. */
  async flush(): Promise<void> {
    const observer = this.#observer;
    await this.#writeMarkets(() => observer.takeMarkets(BATCH));
    for (let hours = observer.takeHours(BATCH); hours.length > 0; hours = observer.takeHours(BATCH))
      await this.#writeHours(hours);
    await this.#writeMarkets(() => observer.takeClosed(BATCH));
    this.#countKept();
    this.#hour = hourOf(this.#time);
    this.#writtenAt = this.#deps.clock.now();
  }

  async #writeMarkets(take: () => ObservationBatch['markets']): Promise<void> {
    for (let markets = take(); markets.length > 0; markets = take())
      await this.#write({ markets, hours: [] });
  }

  async #writeHours(composed: readonly ComposedHour[]): Promise<void> {
    const hours: ObservedHour[] = [];
    for (const { from, ...hour } of composed)
      if (from === 0 || from <= (await this.#storedFrom(hour))) hours.push(hour);
    this.#kept += composed.length - hours.length;
    if (hours.length > 0) await this.#write({ markets: [], hours });
    this.#deps.metrics.hoursObserved('written', hours.length);
  }

  /** From which second the stored hour is complete; infinite when there is none. */
  async #storedFrom({ marketId, hour }: ObservedHour): Promise<number> {
    const range = { from: hour, until: hour + HOUR_MS, limit: 1 };
    const [stored] = await this.#deps.store.hours(marketId, range);
    return stored === undefined ? Number.POSITIVE_INFINITY : completeSecondOf(stored.text);
  }

  async #write(batch: ObservationBatch): Promise<void> {
    const { store, clock } = this.#deps;
    if (!(await store.write(this.#lease, batch)))
      throw new LeaseLost('observations were refused: another process ingests now');
    // Requests are answered between two full batches.
    if (batch.markets.length + batch.hours.length === BATCH) await clock.sleep(0);
  }

  #countKept(): void {
    const kept = this.#observer.kept + this.#kept;
    if (kept > this.#counted) this.#deps.metrics.hoursObserved('kept', kept - this.#counted);
    this.#counted = kept;
  }
}

function hourOf(time: EpochMs): EpochMs {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
