import { outcomeNamed } from '../alerts/outcome-named.ts';
import type { Settlement } from '../alerts/resolution.ts';
import type { EpochMs } from '../trade.ts';
import { type OutcomeSide, type OwnOrder, PriceHistory } from './price-history.ts';
import type { RecordMarket } from './record-market.ts';

/** A buy order whose later prices are measured, on the scale of its own outcome. */
export interface TrackedOrder extends OwnOrder {
  /** From when on its later prices count. */
  readonly publishedAt: EpochMs;
  /** Of its outcome; null until settled. */
  readonly payout: number | null;
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

  constructor({ market, hours, settlement }: RecordMarket, asOf: EpochMs) {
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

  /**
   * The price at a whole minute, on the scale of the order's outcome and without the order: the payout when the market was settled by
   * then, even before the minute comes.
   */
  priceAt(minute: EpochMs, order: TrackedOrder): number | 'pending' | 'stale' | 'unobserved' {
    if (order.payout !== null && this.#isSettledBy(minute)) return order.payout;
    if (minute > this.asOf) return 'pending';
    return this.history.priceAt(minute, order.outcome, order);
  }

  /** When that price was known, or found missing; null while it is pending. */
  knownAt(minute: EpochMs, { payout, publishedAt }: TrackedOrder): EpochMs | null {
    if (payout !== null && this.#isSettledBy(minute)) return Math.max(this.settledAt as EpochMs, publishedAt);
    return minute > this.asOf ? null : minute;
  }

  #isSettledBy(moment: EpochMs): boolean {
    return this.settledAt !== null && this.settledAt <= moment;
  }
}

/** By name, as the alerts of the market are settled, else by index. */
function payoutNamed({ outcomes, payouts }: Settlement, name: string, index: number): number | null {
  const byName = outcomeNamed(outcomes, name);
  return payouts[byName < 0 ? index : byName] ?? null;
}
