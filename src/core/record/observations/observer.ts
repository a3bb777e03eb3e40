import { type EpochMs, HOUR_MS, SECOND_MS, startOfHour } from '../../base/time/duration.ts';
import type { Candidate } from '../../detection/candidate.ts';
import type { MarketFacts } from '../../detection/market-memory.ts';
import type { Order, OrderListener } from '../../detection/order.ts';
import type { Market, Trade } from '../../trades/trade.ts';
import { hourText } from './hour-text.ts';
import { type AlertTimes, MarketObservation, statedOf } from './market-observation.ts';
import type { ObservedHour, ObservedMarket } from './observation-store.ts';
import type { OrderLogLimits } from './order-log.ts';
import { OrderMemory } from './order-memory.ts';

/** An hour to be written. `from`: the second of the hour before which orders may be missing; 0 when it is complete. */
export interface ComposedHour extends ObservedHour {
  readonly from: number;
}

/** Observes the market around each alert. Deterministic and synchronous; times are those of the source. */
export class Observer implements OrderListener {
  readonly memory: OrderMemory;
  readonly #markets = new Map<string, MarketObservation>();
  /** Those with dirty hours. */
  readonly #dirty = new Set<MarketObservation>();
  readonly #composed = new Map<string, ComposedHour>();
  readonly #changed = new Set<MarketObservation>();
  /** Closed markets that are not written as closed yet. */
  readonly #closed = new Map<string, MarketObservation>();
  #nextHour: EpochMs = Number.NEGATIVE_INFINITY;
  #retained = 0;

  constructor(limits?: OrderLogLimits) {
    this.memory = new OrderMemory(() => this.#composeAll(), limits);
  }

  /** Hours that were not composed again because less of them is remembered than before. */
  get retained(): number {
    return this.#retained;
  }

  get markets(): number {
    return this.#markets.size;
  }

  /** Hours that wait to be composed or taken. */
  get waitingHours(): number {
    let waiting = this.#composed.size;
    for (const { dirty } of this.#dirty) waiting += dirty.size;
    return waiting;
  }

  order(order: Order): void {
    this.memory.add(order);
    const observation = this.#markets.get(order.fill.marketId);
    if (observation === undefined) return;
    if (observation.learnOrder(order)) this.#changed.add(observation);
    this.#touch(observation, order.at);
  }

  removed(fill: Trade): void {
    const at = this.memory.remove(fill);
    const observation = this.#markets.get(fill.marketId);
    if (at !== null && observation !== undefined) this.#touch(observation, at);
  }

  isObserved(marketId: string): boolean {
    return this.#markets.has(marketId) || this.#closed.has(marketId);
  }

  load(market: ObservedMarket): void {
    this.#markets.set(market.marketId, new MarketObservation(market));
  }

  /**
   * Observes the market of an alert. For a repeated alert, whose writing a kill may have interrupted, its hours are written once
   * more.
   */
  alert(candidate: Candidate, moment: AlertTimes, facts: MarketFacts): void {
    const { key, marketId } = candidate;
    const observation = this.#known(marketId) ?? this.#begin(candidate, moment, facts);
    if (observation === null) return;
    this.#closed.delete(marketId);
    this.#markets.set(marketId, observation);
    const market = this.memory.market(marketId);
    const hasLearnt = market !== undefined && observation.learnMemory(market, facts);
    if (observation.addAlert(key, moment, this.memory.hoursOf(marketId)) || hasLearnt)
      this.#changed.add(observation);
    if (observation.dirty.size > 0) this.#dirty.add(observation);
  }

  market(market: Market, at: EpochMs): void {
    const observation = this.#markets.get(market.id);
    if (observation?.learnMarket(market, at) === true) this.#changed.add(observation);
  }

  /** Must be called with the source's time after each row. */
  advance(time: EpochMs): void {
    if (time < this.#nextHour) return;
    const hour = startOfHour(time);
    this.#nextHour = hour + HOUR_MS;
    this.memory.advance(hour);
    for (const [marketId, observation] of this.#markets) {
      if (!observation.isOver(hour)) continue;
      this.#closed.set(marketId, observation);
      this.#markets.delete(marketId);
    }
  }

  /** Takes hours to be written, at most `limit`. They are not returned again until they change. */
  takeHours(limit: number): readonly ComposedHour[] {
    for (const observation of this.#dirty) {
      if (this.#composed.size >= limit) break;
      this.#compose(observation, limit);
    }
    return takeFrom(this.#composed, limit).map(([, hour]) => hour);
  }

  /** Takes new and changed markets, at most `limit`. They must be written before their hours. */
  takeMarkets(limit: number): readonly ObservedMarket[] {
    return takeFrom(this.#changed, limit).map(({ market }) => market);
  }

  /** Takes closed markets, at most `limit`. They must be written after all their hours: no start loads them again. */
  takeClosed(limit: number): readonly ObservedMarket[] {
    const taken = takeFrom(this.#closed, limit);
    return taken.map(([, { market }]) => ({ ...market, isOpen: false }));
  }

  #known(marketId: string): MarketObservation | undefined {
    return this.#markets.get(marketId) ?? this.#closed.get(marketId);
  }

  #begin(
    { marketId, eventTitle, eventSlug, category }: Candidate,
    { closedAt }: AlertTimes,
    facts: MarketFacts,
  ) {
    const remembered = this.memory.market(marketId);
    if (remembered === undefined) return null;
    const { baseAsset, baseOutcome, baseOutcomeIndex, otherAsset } = remembered;
    return new MarketObservation({
      marketId,
      baseAsset,
      baseOutcome,
      baseOutcomeIndex,
      otherAsset,
      question: eventTitle,
      slug: eventSlug,
      eventSlug: facts.eventSlug,
      eventTitle: facts.eventTitle,
      category,
      ...statedOf(facts),
      alerts: [],
      spans: [],
      // It was settled before, at a time that is not remembered.
      settledAt: facts.isSettled ? closedAt : null,
      isOpen: true,
    });
  }

  #touch(observation: MarketObservation, at: EpochMs): void {
    observation.touch(startOfHour(at));
    if (observation.dirty.size > 0) this.#dirty.add(observation);
  }

  #composeAll(): void {
    for (const observation of this.#dirty) this.#compose(observation, Number.POSITIVE_INFINITY);
  }

  /** Composes its dirty hours until `limit` hours wait to be taken. */
  #compose(observation: MarketObservation, limit: number): void {
    for (const hour of observation.dirty) {
      if (this.#composed.size >= limit) return;
      observation.dirty.delete(hour);
      this.#put(this.#hourOf(observation, hour));
    }
    this.#dirty.delete(observation);
  }

  #hourOf(observation: MarketObservation, hour: EpochMs): ComposedHour {
    const { marketId, baseAsset } = observation.market;
    const missing = Math.ceil((this.memory.completeFrom - hour) / SECOND_MS);
    const from = Math.min(Math.max(missing, 0), HOUR_MS / SECOND_MS);
    const text = hourText(this.memory.ordersOf(marketId, hour), {
      hour,
      from,
      isByMinute: observation.isByMinute(hour),
      isMirrored: this.memory.market(marketId)?.baseAsset !== baseAsset,
    });
    return { marketId, hour, text, from };
  }

  #put(composed: ComposedHour): void {
    const name = `${composed.marketId} ${composed.hour}`;
    const waiting = this.#composed.get(name);
    if (waiting !== undefined && waiting.from < composed.from) this.#retained += 1;
    else this.#composed.set(name, composed);
  }
}

/** Takes the first items out. */
function takeFrom<Item>(items: Iterable<Item> & { delete(key: unknown): boolean }, limit: number): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length === limit) break;
    taken.push(item);
    items.delete(Array.isArray(item) ? item[0] : item);
  }
  return taken;
}
