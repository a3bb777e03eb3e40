import type { Settlement } from '../alerts/settlement.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { outcomeNamed } from '../trades/trade.ts';
import type { RecordMarket } from './measured-market.ts';
import type { OutcomeSide } from './observations/observation-store.ts';
import { PriceHistory } from './price-history.ts';

/** A buy order around which prices are measured, on the scale of its outcome. */
export interface TrackedOrder {
  readonly at: EpochMs;
  readonly outcome: OutcomeSide;
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

  /** The price before a moment: the payout when the market was settled by then, even before the moment comes. */
  priceAt(moment: EpochMs, { outcome, payout }: TrackedOrder): number | 'pending' | 'stale' | 'unobserved' {
    if (payout !== null && this.#isSettledBy(moment)) return payout;
    return moment > this.asOf ? 'pending' : this.history.priceAt(moment, outcome);
  }

  /**
   * The first price after the order (`PriceHistory.firstPriceAfter`) at a whole minute from `from` to `until`; the payout when the
   * market was settled before there was one.
   */
  priceAfter(
    { at, outcome, payout }: TrackedOrder,
    { from, until }: { readonly from: EpochMs; readonly until: EpochMs },
  ): { readonly minute: EpochMs; readonly price: number } | 'pending' | 'stale' | 'unobserved' {
    const found = this.history.firstPriceAfter(at, { from, until, outcome });
    const end = typeof found === 'string' ? until : found.minute;
    if (payout !== null && this.#isSettledBy(end)) return { minute: end, price: payout };
    return end > this.asOf ? 'pending' : found;
  }

  /** When the price before a moment was known, or found missing; null while it is pending. */
  knownAt(moment: EpochMs, { payout, publishedAt }: TrackedOrder): EpochMs | null {
    if (payout !== null && this.#isSettledBy(moment)) return Math.max(this.settledAt as EpochMs, publishedAt);
    return moment > this.asOf ? null : moment;
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
