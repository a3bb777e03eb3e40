import { repeatUntil } from '../../base/async/repeat.ts';
import { type Lease, LeaseLost } from '../../base/lease/lease.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, HOUR_MS, SECOND_MS, startOfHour } from '../../base/time/duration.ts';
import type { Candidate } from '../../detection/candidate.ts';
import type { MarketFacts } from '../../detection/market-memory.ts';
import type { Market } from '../../trades/trade.ts';
import { parseHour } from './hour-text.ts';
import type { AlertTimes } from './market-observation.ts';
import type {
  ObservationBatch,
  ObservationMetrics,
  ObservationStore,
  ObservedHour,
} from './observation-store.ts';
import type { ComposedHour, Observer } from './observer.ts';

/** Markets or hours in one write or read. */
const BATCH = 200;
/** A tape at full speed passes hours in a millisecond: observations are written once a second, or when this many hours wait. */
const WRITE_EVERY_MS = SECOND_MS;
const WAITING_MOST = 1_000;

/** Dependencies of `ObservationWriter`. */
export interface ObservationDeps {
  readonly store: ObservationStore;
  readonly clock: Clock;
  readonly metrics: Pick<ObservationMetrics, 'hoursObserved'>;
}

/** Writes an observer's observations to the store, for one run under one lease. A failure ends the run. */
export class ObservationWriter {
  readonly #deps: ObservationDeps;
  readonly #lease: Lease;
  readonly #observer: Observer;
  #writing: Promise<void> = Promise.resolve();
  /** Closed markets that are being written and that the observer no longer knows. */
  #isClosing = false;
  /** The source's next hour; not known before its first row. */
  #nextHour: EpochMs | null = null;
  #isDue = false;
  #writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  /** Hours that stay as they are stored, and how many of them are counted. */
  #retained = 0;
  #counted = 0;

  constructor(deps: ObservationDeps, lease: Lease, observer: Observer) {
    this.#deps = deps;
    this.#lease = lease;
    this.#observer = observer;
  }

  /** Loads the open markets. Must be called when the state is restored or rebuilt. */
  async open(): Promise<void> {
    const { store, clock } = this.#deps;
    let after = '';
    const loadPage = async () => {
      const markets = await store.open({ after, limit: BATCH });
      for (const market of markets) this.#observer.load(market);
      after = markets.at(-1)?.marketId ?? after;
      return markets.length < BATCH;
    };
    await repeatUntil(loadPage, { clock, intervalMs: 0 });
  }

  /** Observes the market of an alert, even if it was observed before. */
  async alert(candidate: Candidate, moment: AlertTimes, facts: MarketFacts): Promise<void> {
    if (!this.#observer.isObserved(candidate.marketId)) {
      if (this.#isClosing) await this.#writing;
      const stored = await this.#deps.store.market(candidate.marketId);
      const isOver = stored?.isOpen === false;
      // Judged again after a crash: the market was written completely before it was closed.
      if (isOver && stored.alerts.some(({ key }) => key === candidate.key)) return;
      if (stored !== null) this.#observer.load(stored);
    }
    this.#observer.alert(candidate, moment, facts);
  }

  market(market: Market, at: EpochMs): void {
    this.#observer.market(market, at);
  }

  /** Must be called with the source's time after each row. */
  advance(time: EpochMs): void {
    this.#observer.advance(time);
    if (this.#nextHour !== null && time < this.#nextHour) return;
    if (this.#nextHour !== null) this.#isDue ||= this.#isEnough();
    this.#nextHour = startOfHour(time) + HOUR_MS;
  }

  /** Whether there was enough to write when an hour of the source began. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Writes all changes. Throws `LeaseLost` when another process has taken over, even if that was noticed earlier. */
  async flush(): Promise<void> {
    await this.beginFlush();
    await this.#writing;
  }

  /** Starts a flush in the background after waiting for the previous one, so that rows are judged meanwhile. */
  async beginFlush(): Promise<void> {
    await this.#writing;
    this.#isDue = false;
    this.#writtenAt = this.#deps.clock.now();
    this.#writing = this.#writeAll();
    // The next wait for it gets the error.
    this.#writing.catch(() => {});
  }

  #isEnough(): boolean {
    const isLong = Math.abs(this.#deps.clock.now() - this.#writtenAt) >= WRITE_EVERY_MS;
    return isLong || this.#observer.waitingHours >= WAITING_MOST;
  }

  /** No await between two takes, so that markets of rows judged meanwhile are written before their hours, too. */
  async #writeAll(): Promise<void> {
    const observer = this.#observer;
    for (;;) {
      const markets = observer.takeMarkets(BATCH);
      const hours = markets.length > 0 ? [] : observer.takeHours(BATCH);
      const closed = markets.length + hours.length > 0 ? [] : observer.takeClosed(BATCH);
      this.#isClosing = closed.length > 0;
      if (hours.length > 0) await this.#writeHours(hours);
      else if (markets.length + closed.length > 0)
        await this.#write({ markets: [...markets, ...closed], hours: [] });
      else break;
    }
    this.#countRetained();
  }

  async #writeHours(composed: readonly ComposedHour[]): Promise<void> {
    const hours: ObservedHour[] = [];
    for (const { from, ...hour } of composed)
      if (from === 0 || from <= (await this.#storedFrom(hour))) hours.push(hour);
    this.#retained += composed.length - hours.length;
    if (hours.length > 0) await this.#write({ markets: [], hours });
    this.#deps.metrics.hoursObserved('written', hours.length);
  }

  /** The second from which the stored hour is complete; infinite when nothing is stored. */
  async #storedFrom({ marketId, hour }: ObservedHour): Promise<number> {
    const range = { from: hour, until: hour + HOUR_MS, limit: 1 };
    const [stored] = await this.#deps.store.hours(marketId, range);
    return stored === undefined ? Number.POSITIVE_INFINITY : (parseHour(stored.text).from ?? 0);
  }

  async #write(batch: ObservationBatch): Promise<void> {
    const { store, clock } = this.#deps;
    if (!(await store.write(this.#lease, batch)))
      throw new LeaseLost('observation write refused: another process ingests now');
    // Requests are answered between two full batches.
    if (batch.markets.length + batch.hours.length === BATCH) await clock.sleep(0);
  }

  #countRetained(): void {
    const kept = this.#observer.retained + this.#retained;
    if (kept > this.#counted) this.#deps.metrics.hoursObserved('kept', kept - this.#counted);
    this.#counted = kept;
  }
}
