import type { Alert } from '../../alerts/alert.ts';
import { RecentReads } from '../../base/async/recent-reads.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import {
  publishedTime,
  type SourceProgress,
  type TimeMapping,
  tapeTime,
} from '../../trades/source/source.ts';
import { followerPricesOf } from '../follower-prices.ts';
import { thinned } from './price-line.ts';
import type { Prices } from './prices.ts';
import {
  type DayQuery,
  dayOf,
  type LinePoint,
  onScaleOf,
  outcomeSideOf,
  type WatchedMarket,
} from './watched-market.ts';

const KEPT = { keptMs: 10 * SECOND_MS, max: 500 };
/** Days of a line. */
const LINE_DAYS_MAX = 400;

/** What is known about an alert's market. */
export interface AlertMarket {
  readonly market: WatchedMarket;
  readonly times: SourceTimes;
}

/** A line of prices from a moment to another, on the clock of the source. */
interface LineRequest {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Maximum number of points. */
  readonly points: number;
}

/** Prices of watched markets; times are on the clock of the alerts. What was read is used for ten seconds. */
export class MarketPrices {
  readonly #store: Pick<Prices, 'markets' | 'days' | 'endingNext'>;
  readonly #progress: () => Promise<SourceProgress | null>;
  readonly #sources: RecentReads<SourceProgress | null>;
  readonly #markets: RecentReads<WatchedMarket | null>;

  /** `progress`: how far the source has come; null while that is unknown. */
  constructor(
    store: Pick<Prices, 'markets' | 'days' | 'endingNext'>,
    progress: () => Promise<SourceProgress | null>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#progress = progress;
    this.#sources = new RecentReads(clock, KEPT);
    this.#markets = new RecentReads(clock, KEPT);
  }

  /**
   * The last price known at `until`, USDC a share: of the alert's own order where its market has no later one; the payout with a
   * result. Null in a market that is not watched.
   */
  async lastOf(alert: Alert, until: EpochMs): Promise<number | null> {
    if (alert.resolution !== null) return alert.resolution.payout;
    const found = await this.marketOf(alert);
    if (found === null || until < alert.tradedAt) return null;
    const { market, times } = found;
    const last = await this.#lastUntil(market, times.toSource(until));
    if (last === null || last.at < times.toSource(alert.tradedAt)) return alert.entryPrice;
    return onScaleOf(outcomeSideOf(alert, market), last.price);
  }

  /** What a follower of an alert could pay, as far as it is known at `until`; otherwise null. */
  async followerPrice(alert: Alert, until: EpochMs): Promise<PricePoint | null> {
    const found = await this.marketOf(alert);
    if (found === null) return null;
    const { market, times } = found;
    const { bought } = followerPricesOf(alert, market, times.toSource(until));
    return bought && { at: times.toPublished(bought.at), price: bought.price };
  }

  /** The watched market of an alert, and how its times follow from the alert's; null if it is not watched. */
  async marketOf(alert: Pick<Alert, 'key' | 'marketId' | 'tradedAt'>): Promise<AlertMarket | null> {
    const { marketId } = alert;
    const market = await this.#markets.get(marketId, async () => {
      const [found = null] = await this.#store.markets([marketId]);
      return found;
    });
    return market && { market, times: sourceTimesOf(alert, market, await this.#mapping()) };
  }

  /** Ids of unsettled markets whose stated end is at a moment or later, ordered by that end; at most `limit`. */
  async endingNext(from: EpochMs, limit: number): Promise<readonly string[]> {
    const mapping = await this.#mapping();
    return this.#store.endingNext({ from: mapping === null ? from : tapeTime(mapping, from), limit });
  }

  /** Prices on the scale of the base outcome, ascending by time: the newest 400 days with orders. */
  async lineOf(market: WatchedMarket, { from, until, points }: LineRequest): Promise<readonly PricePoint[]> {
    const days = await this.#daysBefore(market, { from: dayOf(from), before: dayOf(until) + 1 });
    const line = [...days.toReversed().flatMap((day) => day.points), ...market.points].map(pointOf);
    return thinned(
      line.filter(({ at }) => at >= from && at <= until),
      points,
    );
  }

  async #mapping(): Promise<TimeMapping | null> {
    return (await this.#sources.get('', this.#progress))?.mapping ?? null;
  }

  /** The days before the newest, which the market itself has. The newest first. */
  #daysBefore({ marketId, points }: WatchedMarket, query: Omit<DayQuery, 'limit'>, limit = LINE_DAYS_MAX) {
    const newest = dayOf((points[0]?.[0] ?? 0) * SECOND_MS);
    return this.#store.days(marketId, { ...query, before: Math.min(query.before, newest), limit });
  }

  async #lastUntil(market: WatchedMarket, until: EpochMs): Promise<PricePoint | null> {
    const isKnown = ([second]: LinePoint) => second * SECOND_MS <= until;
    const newest = market.points.findLast(isKnown);
    if (newest !== undefined) return pointOf(newest);
    // The day of the moment may have later orders only.
    const days = await this.#daysBefore(market, { from: 0, before: dayOf(until) + 1 }, 2);
    const last = days.map(({ points }) => points.findLast(isKnown)).find((point) => point !== undefined);
    return last === undefined ? null : pointOf(last);
  }
}

function pointOf([second, price]: LinePoint): PricePoint {
  return { at: second * SECOND_MS, price };
}

/** How the times of a watched market and those of its alerts follow from each other. */
interface SourceTimes {
  /** A time of the source that was published by then. */
  toSource(published: EpochMs): EpochMs;
  /** Never decreases with the source's time. */
  toPublished(source: EpochMs): EpochMs;
}

/**
 * The times of a watched market. `mapping`: the time mapping of the current source; null where alerts have the times of the
 * source. An alert that this mapping does not explain is from another tape or an earlier run: its own two times give the
 * difference.
 */
function sourceTimesOf(
  { key, tradedAt }: Pick<Alert, 'key' | 'tradedAt'>,
  { alerts }: Pick<WatchedMarket, 'alerts'>,
  mapping: TimeMapping | null,
): SourceTimes {
  const watchedAt = alerts.find((alert) => alert.key === key)?.tradedAt;
  const isMapped =
    mapping !== null && (watchedAt === undefined || publishedTime(mapping, watchedAt) === tradedAt);
  if (isMapped)
    return {
      toSource: (published) => tapeTime(mapping, published),
      toPublished: (source) => publishedTime(mapping, source),
    };
  const difference = tradedAt - (watchedAt ?? tradedAt);
  return {
    toSource: (published) => published - difference,
    toPublished: (source) => source + difference,
  };
}
