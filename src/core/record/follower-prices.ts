import type { Alert } from '../alerts/alert.ts';
import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs, HOUR_MS, startOfHour } from '../base/time/duration.ts';
import type { PricePoint } from '../trades/price-point.ts';
import {
  hoursOf,
  type ObservationStore,
  type ObservedMarket,
  type OutcomeSide,
  outcomeSideOf,
} from './observations/observation-store.ts';
import { PriceHistory } from './price-history.ts';

/** What a follower of an alert could pay and get, USDC a share of its outcome, 6 decimals (docs/method.md#prices). Times are the source's. */
export interface FollowerPrices {
  readonly publishedAt: EpochMs;
  /** When the payouts of the market were first known; null while they are not. */
  readonly settledAt: EpochMs | null;
  /** The first order in the time in which a follower could buy; null without one before the settlement. */
  readonly bought: PricePoint | null;
  /** The first order from 24 h after `bought` on; null without one before the settlement. */
  readonly later: PricePoint | null;
}

/** Of the hour of a publication and the next one. */
const HOURS_READ = 2;

type Observations = Pick<ObservationStore, 'market' | 'hours'>;

/** Reads prices of the observed markets. Those of an alert that are final are remembered. */
export class FollowerPriceReader {
  readonly #observations: Observations;
  readonly #final = new Map<number, FollowerPrices>();

  constructor(observations: Observations) {
    this.#observations = observations;
  }

  /** Nothing later than `asOf`, on the clock of the source, is used. */
  async read(alert: Alert, asOf: EpochMs): Promise<FollowerPrices> {
    const known = this.#final.get(alert.id);
    if (known !== undefined) return known;
    const market = await this.#observations.market(alert.marketId);
    if (market === null) return { publishedAt: alert.detectedAt, settledAt: null, bought: null, later: null };
    const prices = await this.#readMarket(alert, market, asOf);
    // The market is settled and, a day after the last alert, its prices are all there.
    if (!market.isOpen && prices.settledAt !== null) this.#final.set(alert.id, prices);
    return prices;
  }

  async #readMarket(alert: Alert, market: ObservedMarket, asOf: EpochMs): Promise<FollowerPrices> {
    const observed = market.alerts.find(({ key }) => key === alert.key);
    const publishedAt = observed?.detectedAt ?? alert.detectedAt;
    const isSettled = market.settledAt !== null && market.settledAt <= asOf;
    const end = isSettled ? (market.settledAt as EpochMs) : Number.POSITIVE_INFINITY;
    const known = (point: PricePoint | null) =>
      point === null || point.at >= end || point.at > asOf
        ? null
        : { at: point.at, price: rounded(point.price, 6) };
    const outcome = outcomeSideOf(alert, market);
    const bought = known(await readFollowerPrice(this.#observations, market, { publishedAt, outcome }));
    const later = bought === null ? null : known(await this.#firstFrom(market, bought.at + DAY_MS, outcome));
    return { publishedAt, settledAt: isSettled ? market.settledAt : null, bought, later };
  }

  async #firstFrom({ marketId }: ObservedMarket, from: EpochMs, outcome: OutcomeSide) {
    const until = Number.MAX_SAFE_INTEGER;
    for await (const hour of hoursOf(this.#observations, marketId, { from: startOfHour(from), until })) {
      const found = new PriceHistory([hour]).firstOrder({ from, until, outcome });
      if (found !== null) return found;
    }
    return null;
  }
}

interface Publication {
  readonly publishedAt: EpochMs;
  readonly outcome: OutcomeSide;
}

/** What a reader could pay after a publication (`PriceHistory.followerPrice`), of all that was observed; null without an order in time. */
export async function readFollowerPrice(
  observations: Pick<ObservationStore, 'hours'>,
  { marketId }: Pick<ObservedMarket, 'marketId'>,
  { publishedAt, outcome }: Publication,
): Promise<PricePoint | null> {
  const range = { from: startOfHour(publishedAt), until: publishedAt + HOUR_MS, limit: HOURS_READ };
  return new PriceHistory(await observations.hours(marketId, range)).followerPrice(publishedAt, outcome);
}
