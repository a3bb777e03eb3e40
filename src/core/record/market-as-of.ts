import type { Settlement } from '../alerts/settlement.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../base/time/duration.ts';
import type { PricePoint } from '../trades/price-point.ts';
import { outcomeNamed } from '../trades/trade.ts';
import type { PriceMove, RecordMarket } from './measured-market.ts';
import type { OutcomeSide } from './observations/observation-store.ts';
import { PriceHistory } from './price-history.ts';

/** How long after publication a reader can buy at the earliest, and until when. */
const REACTION_MS = MINUTE_MS;
const BUYING_MS = HOUR_MS;

/** A buy order after which prices are measured, on the scale of its outcome. */
export interface TrackedOrder {
  readonly at: EpochMs;
  readonly outcome: OutcomeSide;
  /** Since when readers knew of it. */
  readonly publishedAt: EpochMs;
  /** Of its outcome; null until settled. */
  readonly payout: number | null;
}

/** The times in which a reader can buy: minutes that begin 60 s after publication or later, and within an hour of it. */
export function buyingTime(publishedAt: EpochMs): { readonly from: EpochMs; readonly until: EpochMs } {
  const from = Math.ceil((publishedAt + REACTION_MS) / MINUTE_MS) * MINUTE_MS;
  return { from, until: publishedAt + BUYING_MS };
}

/** A market as it was known at the moment `asOf`. A settlement after it does not exist. */
export class MarketAsOf {
  readonly asOf: EpochMs;
  readonly history: PriceHistory;
  /** Null while unsettled, as is `settlement`. */
  readonly settledAt: EpochMs | null;
  readonly settlement: Settlement | null;
  readonly feeRate: number | null;
  readonly #basePayout: number | null;

  constructor(
    { market, hours, settlement }: Pick<RecordMarket, 'market' | 'hours' | 'settlement'>,
    asOf: EpochMs,
  ) {
    const { settledAt, baseOutcome, baseOutcomeIndex, feeRate } = market;
    const isSettled = settlement !== null && settledAt !== null && settledAt <= asOf;
    this.asOf = asOf;
    this.history = new PriceHistory(hours, market);
    this.settledAt = isSettled ? settledAt : null;
    this.settlement = isSettled ? settlement : null;
    this.feeRate = feeRate ?? null;
    this.#basePayout = isSettled ? payoutNamed(settlement, baseOutcome, baseOutcomeIndex) : null;
  }

  /** What a share of the outcome paid; null until settled. */
  payoutOf(outcome: OutcomeSide): number | null {
    if (this.#basePayout === null) return null;
    return outcome === 0 ? this.#basePayout : 1 - this.#basePayout;
  }

  /** What a reader could buy after an order, and what it was worth later. */
  moveAfter(order: TrackedOrder): PriceMove {
    const { publishedAt, outcome } = order;
    const time = buyingTime(publishedAt);
    const bought = this.#known(this.history.firstOrder({ ...time, outcome }));
    const isBought = bought !== null && bought.at < this.#settledFor(order) && isPrice(bought.price);
    if (!isBought) return { ...UNMEASURED, state: this.#missing(time) };
    const later = this.#after(order, bought.at + DAY_MS);
    const before = this.history.lastOrder({ from: order.at - HOUR_MS, until: order.at, outcome });
    return {
      state: later === null ? 'pending' : 'measured',
      openedAt: bought.at,
      price: bought.price,
      before: before?.price ?? null,
      afterHour: this.#after(order, bought.at + HOUR_MS)?.price ?? null,
      closedAt: later?.at ?? null,
      value: later?.price ?? null,
    };
  }

  /** Why nothing was bought in a time: it is not over, orders of it were not kept, or there was none. */
  #missing(time: { readonly from: EpochMs; readonly until: EpochMs }): PriceMove['state'] {
    const until = Math.ceil(time.until / MINUTE_MS) * MINUTE_MS;
    if (until > this.asOf && this.settledAt === null) return 'pending';
    return this.history.isComplete(time) ? 'no_price' : 'unobserved';
  }

  /** The first order of a minute from the moment on, or the payout, whichever is known first. */
  #after(order: TrackedOrder, moment: EpochMs): PricePoint | null {
    const settledAt = this.#settledFor(order);
    const found =
      settledAt <= moment
        ? null
        : this.#known(this.history.firstOrder({ from: moment, until: settledAt, outcome: order.outcome }));
    if (found !== null && found.at < settledAt) return found;
    return order.payout === null ? null : { at: settledAt, price: order.payout };
  }

  /** Infinite while the payout is unknown. */
  #settledFor({ payout }: TrackedOrder): EpochMs {
    return payout === null ? Number.POSITIVE_INFINITY : (this.settledAt ?? Number.POSITIVE_INFINITY);
  }

  #known(point: PricePoint | null): PricePoint | null {
    return point !== null && point.at <= this.asOf ? { ...point, price: rounded(point.price, 6) } : null;
  }
}

const UNMEASURED = {
  ...{ openedAt: null, price: null, before: null, afterHour: null },
  ...{ closedAt: null, value: null },
} as const;

/** A share that costs nothing, or as much as it can pay, cannot be bet on. */
function isPrice(price: number): boolean {
  return price > 0 && price < 1;
}

/** What a share of an outcome paid, found by its name (as alerts are settled), otherwise by its index. Null without one. */
export function payoutNamed({ outcomes, payouts }: Settlement, name: string, index: number): number | null {
  const byName = outcomeNamed(outcomes, name);
  return payouts[byName < 0 ? index : byName] ?? null;
}
