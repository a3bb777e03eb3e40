import type { Alert } from '../../alerts/alert.ts';
import { RecentReads } from '../../base/async/recent-reads.ts';
import { rounded } from '../../base/rounded.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, startOfHour } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import {
  publishedTime,
  type SourceProgress,
  type TimeMapping,
  tapeTime,
} from '../../trades/source/source.ts';
import { readFollowerPrice } from '../follower-prices.ts';
import {
  type HourRange,
  hoursOf,
  type ObservationStore,
  type ObservedMarket,
  onScaleOf,
  outcomeSideOf,
} from './observation-store.ts';
import { pricePointsOf, thinned } from './price-line.ts';

const KEPT = { keptMs: MINUTE_MS, max: 300 };
const MARKETS_KEPT = { keptMs: MINUTE_MS, max: 2_000 };
/** A line of days does not show what it lacks of five minutes but their last price. */
const LINES_KEPT = { keptMs: 5 * MINUTE_MS, max: 1_000 };
/** How far back a last price is searched, in hours of one read. */
const SEARCHED_MS = 30 * DAY_MS;
const HOURS_PER_READ = 2;
/** Hours of a line: those of 400 days. */
const LINE_HOURS_MAX = 9_600;

/** What is known about an alert's market. */
export interface AlertMarket {
  readonly market: ObservedMarket;
  readonly times: SourceTimes;
}

/** A line of prices on the clock of the source. */
interface LineRequest {
  readonly from: EpochMs;
  /** Nothing later is known. */
  readonly until: EpochMs;
  /** The line ends here at the latest. Default: at `until`. */
  readonly end?: EpochMs;
  /** Maximum number of points besides the newest. */
  readonly points: number;
}

/** Prices of observed markets; times are on the clock of the alerts. What was read is used for a minute. */
export class MarketPrices {
  readonly #observations: Pick<ObservationStore, 'market' | 'hours' | 'endingNext'>;
  readonly #progress: () => Promise<SourceProgress | null>;
  readonly #sources: RecentReads<SourceProgress | null>;
  readonly #markets: RecentReads<ObservedMarket | null>;
  readonly #newest: RecentReads<readonly HourPrices[]>;
  readonly #lines: RecentReads<readonly PricePoint[]>;

  /** `progress`: how far the source has come; null while that is unknown. */
  constructor(
    observations: Pick<ObservationStore, 'market' | 'hours' | 'endingNext'>,
    progress: () => Promise<SourceProgress | null>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#observations = observations;
    this.#progress = progress;
    this.#sources = new RecentReads(clock, KEPT);
    this.#markets = new RecentReads(clock, MARKETS_KEPT);
    this.#newest = new RecentReads(clock, KEPT);
    this.#lines = new RecentReads(clock, LINES_KEPT);
  }

  /** The last price known at `until`, USDC a share; the payout with a result. Null without one in 30 days. */
  async lastOf(alert: Alert, until: EpochMs): Promise<number | null> {
    if (alert.resolution !== null) return alert.resolution.payout;
    const found = await this.marketOf(alert);
    if (found === null) return null;
    const { market, times } = found;
    const last = await this.#lastBefore(market, times.toSource(until));
    if (last === null || last.at < times.toSource(alert.tradedAt)) return null;
    return onScaleOf(outcomeSideOf(alert, market), last.price);
  }

  /** What a follower of an alert could pay (`PriceHistory.followerPrice`), as far as it is known at `until`; otherwise null. */
  async followerPrice(alert: Alert, until: EpochMs): Promise<PricePoint | null> {
    const found = await this.marketOf(alert);
    if (found === null) return null;
    const { market, times } = found;
    const observed = market.alerts.find(({ key }) => key === alert.key);
    const publishedAt = observed?.detectedAt ?? times.toSource(alert.publishedAt);
    const outcome = outcomeSideOf(alert, market);
    const point = await readFollowerPrice(this.#observations, market, { publishedAt, outcome });
    const end = market.settledAt ?? Number.POSITIVE_INFINITY;
    if (point === null || point.at > times.toSource(until) || point.at >= end) return null;
    return { at: times.toPublished(point.at), price: rounded(point.price, 6) };
  }

  /** The observed market of an alert, and how its times follow from the alert's; null if it is not observed. */
  async marketOf(alert: Pick<Alert, 'key' | 'marketId' | 'tradedAt'>): Promise<AlertMarket | null> {
    const { marketId } = alert;
    const market = await this.#markets.get(marketId, () => this.#observations.market(marketId));
    if (market === null) return null;
    const progress = await this.#sources.get('', this.#progress);
    const times = sourceTimesOf(alert, market, progress?.mapping ?? null);
    return { market, times };
  }

  /** Observed, unsettled markets whose stated end is at a moment or later, ordered by that end; at most `limit`. */
  async endingNext(from: EpochMs, limit: number): Promise<readonly ObservedMarket[]> {
    const progress = await this.#sources.get('', this.#progress);
    const mapping = progress?.mapping ?? null;
    return this.#observations.endingNext({ from: mapping === null ? from : tapeTime(mapping, from), limit });
  }

  /** Prices on the scale of the base outcome, ascending by time. The line is at most five minutes old, by the clock of the source too, but for its newest price. */
  async lineOf(market: ObservedMarket, request: LineRequest): Promise<readonly PricePoint[]> {
    const { from, until, end = Number.POSITIVE_INFINITY, points } = request;
    const last = Math.min(until, end);
    // A tape that is played fast passes days in five minutes.
    const period = Math.floor(last / LINES_KEPT.keptMs);
    const name = JSON.stringify([market.marketId, startOfHour(from), end, points, period]);
    const line = await this.#lines.get(name, async () => {
      const known: PricePoint[] = [];
      for await (const hour of this.#hoursOf(market, { from, until: last + 1 }))
        known.push(...pricePointsOf(hour).filter(({ at }) => at <= last));
      return thinned(known, points);
    });
    const newest = last < until ? null : await this.#lastBefore(market, until);
    const all = newest === null || newest.at <= (line.at(-1)?.at ?? 0) ? line : [...line, newest];
    return all.filter(({ at }) => at >= from && at <= last);
  }

  /** The observed hours of a market with a part at `from` or later, and before `until`, ascending: the newest 400 days of them. */
  #hoursOf({ marketId, spans }: ObservedMarket, { from: earliest, until }: HourRange) {
    const first = Math.max(spans[0]?.from ?? 0, startOfHour(earliest));
    const from = Math.max(first, startOfHour(until) - LINE_HOURS_MAX * HOUR_MS);
    return hoursOf(this.#observations, marketId, { from, until });
  }

  async #lastBefore({ marketId }: ObservedMarket, until: EpochMs): Promise<PricePoint | null> {
    const from = startOfHour(until) - SEARCHED_MS;
    for (let before = startOfHour(until) + HOUR_MS; before > from; ) {
      const hours = await this.#newestHours(marketId, { from, until: before });
      const last = hours.flatMap(({ points }) => points.findLast(({ at }) => at <= until) ?? []).at(0);
      if (last !== undefined) return last;
      before = hours.at(HOURS_PER_READ - 1)?.hour ?? from;
    }
    return null;
  }

  #newestHours(marketId: string, range: HourRange): Promise<readonly HourPrices[]> {
    return this.#newest.get(JSON.stringify([marketId, range.until]), async () => {
      const query = { ...range, limit: HOURS_PER_READ, isNewestFirst: true };
      const hours = await this.#observations.hours(marketId, query);
      return hours.map((hour) => ({ hour: hour.hour, points: pricePointsOf(hour) }));
    });
  }
}

/** The prices of an hour, ascending. */
interface HourPrices {
  readonly hour: EpochMs;
  readonly points: readonly PricePoint[];
}

/** How the times of a market's observations and those of its alerts follow from each other. */
interface SourceTimes {
  /** A time of the source that was published by then. */
  toSource(published: EpochMs): EpochMs;
  /** Never decreases with the source's time. */
  toPublished(source: EpochMs): EpochMs;
}

/**
 * The times of an observed market. `mapping`: the time mapping of the current source; null where alerts have the times of the
 * source. An alert that this mapping does not explain is from another tape or an earlier run: its own two times give the
 * difference.
 */
function sourceTimesOf(
  { key, tradedAt }: Pick<Alert, 'key' | 'tradedAt'>,
  { alerts }: Pick<ObservedMarket, 'alerts'>,
  mapping: TimeMapping | null,
): SourceTimes {
  const observedAt = alerts.find((alert) => alert.key === key)?.tradedAt;
  const isMapped =
    mapping !== null && (observedAt === undefined || publishedTime(mapping, observedAt) === tradedAt);
  if (isMapped)
    return {
      toSource: (published) => tapeTime(mapping, published),
      toPublished: (source) => publishedTime(mapping, source),
    };
  const difference = tradedAt - (observedAt ?? tradedAt);
  return {
    toSource: (published) => published - difference,
    toPublished: (source) => source + difference,
  };
}
