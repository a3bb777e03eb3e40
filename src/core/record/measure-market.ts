import type { Alert } from '../alerts/alert.ts';
import { resolutionOf } from '../alerts/settlement.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { PricePoint } from '../trades/price-point.ts';
import type { MeasuredAlert, MeasuredMarket, PriceMove, RecordMarket } from './measured-market.ts';
import { type OutcomeSide, outcomeSideOf } from './observations/observation-store.ts';
import { PriceHistory } from './price-history.ts';

/** An alert in its market, in the source's time. */
interface PublishedAlert {
  readonly alert: Alert;
  readonly publishedAt: EpochMs;
  readonly outcome: OutcomeSide;
  readonly isFirst: boolean;
}

/**
 * Measures the alerts of a market (docs/method.md): what the price did after them, and what their outcome paid. Nothing later than
 * `asOf`, on the clock of the source, is used: what is not known by then is null. Pure; a figure that is known stays as it is at every
 * later `asOf`, unless trades arrive late or payouts are corrected.
 */
export function measureMarket(given: RecordMarket, asOf: EpochMs): MeasuredMarket {
  const { slug, eventSlug } = given.market;
  const market = new MarketAsOf(given, asOf);
  return {
    event: eventSlug ?? slug,
    settledAt: market.settledAt,
    alerts: publishedAlerts(given, asOf).map((published) => market.measure(published)),
  };
}

/** The alerts published by `asOf`, in the source's time, which differs from the alerts' time when a tape is replayed. */
function publishedAlerts({ market, alerts }: RecordMarket, asOf: EpochMs): readonly PublishedAlert[] {
  const moments = new Map(market.alerts.map((moment) => [moment.key, moment]));
  const known = new Set<string>();
  return alerts
    .map((alert) => {
      const { detectedAt } = moments.get(alert.key) ?? alert;
      return { alert, publishedAt: detectedAt, outcome: outcomeSideOf(alert, market) };
    })
    .filter(({ publishedAt }) => publishedAt <= asOf)
    .map((published) => {
      const name = `${published.outcome}:${published.alert.wallet}`;
      const isFirst = !known.has(name);
      known.add(name);
      return { ...published, isFirst };
    });
}

/** A market as it was known at the moment `asOf`. A settlement after it does not exist. */
class MarketAsOf {
  /** Null while unsettled. */
  readonly settledAt: EpochMs | null;
  readonly #asOf: EpochMs;
  readonly #history: PriceHistory;
  readonly #settlement: RecordMarket['settlement'];

  constructor({ market, hours, settlement }: RecordMarket, asOf: EpochMs) {
    const isSettled = settlement !== null && market.settledAt !== null && market.settledAt <= asOf;
    this.settledAt = isSettled ? market.settledAt : null;
    this.#asOf = asOf;
    this.#history = new PriceHistory(hours);
    this.#settlement = isSettled ? settlement : null;
  }

  measure({ alert, publishedAt, outcome, isFirst }: PublishedAlert): MeasuredAlert {
    const { id, entryPrice } = alert;
    const payout = this.#settlement === null ? null : (resolutionOf(alert, this.#settlement)?.payout ?? null);
    const move = this.#moveAfter(publishedAt, outcome, payout);
    return { id, publishedAt, entryPrice, isFirst, move, payout };
  }

  #moveAfter(publishedAt: EpochMs, outcome: OutcomeSide, payout: number | null): PriceMove {
    const bought = this.#known(this.#history.followerPrice(publishedAt, outcome));
    if (bought === null || bought.at >= this.#settledFor(payout))
      return { openedAt: null, price: null, closedAt: null, value: null };
    const later = this.#worthAt(bought.at + DAY_MS, outcome, payout);
    return {
      openedAt: bought.at,
      price: bought.price,
      closedAt: later?.at ?? null,
      value: later?.price ?? null,
    };
  }

  /** The first order of a minute from the moment on, or the payout, whichever is known first. */
  #worthAt(moment: EpochMs, outcome: OutcomeSide, payout: number | null): PricePoint | null {
    const settledAt = this.#settledFor(payout);
    const search = { from: moment, until: settledAt, outcome };
    const found = settledAt <= moment ? null : this.#known(this.#history.firstOrder(search));
    if (found !== null && found.at < settledAt) return found;
    return payout === null ? null : { at: settledAt, price: payout };
  }

  /** Infinite while the payout is unknown. */
  #settledFor(payout: number | null): EpochMs {
    return payout === null ? Number.POSITIVE_INFINITY : (this.settledAt ?? Number.POSITIVE_INFINITY);
  }

  #known(point: PricePoint | null): PricePoint | null {
    return point !== null && point.at <= this.#asOf ? { ...point, price: rounded(point.price, 6) } : null;
  }
}
