import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { meanPrice, type Order } from '../../detection/order.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import type { Market } from '../../trades/trade.ts';
import {
  dayOf,
  type LinePoint,
  onScaleOf,
  outcomeSideOf,
  type PriceDay,
  type WatchedAlert,
  type WatchedMarket,
} from './watched-market.ts';

/** How long after publication a reader can buy at the earliest, and until when. */
const REACTION_MS = MINUTE_MS;
const BUYING_MS = HOUR_MS;
/** Seconds of which the line has the last price. */
const INTERVAL = 300;

/** Fixes the prices of one market as its orders are seen. Taking orders again changes nothing. */
export class MarketWatch {
  #market: Omit<WatchedMarket, 'alerts' | 'points'>;
  readonly #alerts: WatchedAlert[];
  readonly #points: LinePoint[];

  constructor({ alerts, points, ...market }: WatchedMarket) {
    this.#market = market;
    this.#alerts = [...alerts];
    this.#points = [...points];
  }

  /** As it is now. */
  get market(): WatchedMarket {
    return { ...this.#market, alerts: [...this.#alerts], points: [...this.#points] };
  }

  /** False for an alert that it has. */
  addAlert(alert: WatchedAlert): boolean {
    if (this.#alerts.some(({ key }) => key === alert.key)) return false;
    this.#alerts.push(alert);
    return true;
  }

  /** Learns the end of the market, and when its payouts became known. True when something changed. */
  learn({ endsAt, payouts }: Pick<Market, 'endsAt' | 'payouts'>, at: EpochMs): boolean {
    const known = this.#market;
    this.#market = {
      ...known,
      endsAt: endsAt ?? known.endsAt,
      settledAt: known.settledAt ?? (payouts === null ? null : at),
    };
    return this.#market.endsAt !== known.endsAt || this.#market.settledAt !== known.settledAt;
  }

  /**
   * Takes an order of the market, unless one of its second or a later one was taken. The makers' side is left out, since the
   * takers' side is taken. Returns the day of the line that ended before it; null when none did.
   */
  order(order: Order): PriceDay | null {
    const { fill, at, role, shares } = order;
    const second = at / SECOND_MS;
    if (this.#market.settledAt !== null || role === 'maker' || shares === 0) return null;
    if (second <= (this.#points.at(-1)?.[0] ?? 0)) return null;
    const side = fill.asset === this.#market.baseAsset ? 0 : 1;
    const price = onScaleOf(side, meanPrice(order));
    for (const [index, alert] of this.#alerts.entries()) {
      if (alert.later !== null) continue;
      this.#alerts[index] = seen(alert, { at, price: onScaleOf(outcomeSideOf(alert, this.#market), price) });
    }
    return this.#draw([second, price]);
  }

  /** Adds a point. It replaces that of the same five minutes, unless that is the day's first. */
  #draw(point: LinePoint): PriceDay | null {
    const last = this.#points.at(-1) ?? point;
    let ended: PriceDay | null = null;
    if (dayOfPoint(last) < dayOfPoint(point))
      ended = { marketId: this.#market.marketId, day: dayOfPoint(last), points: this.#points.splice(0) };
    else if (this.#points.length > 1 && intervalOf(last) === intervalOf(point)) this.#points.pop();
    this.#points.push(point);
    return ended;
  }
}

/** The alert, with the price that an order fixed (docs/method.md#prices). */
function seen(alert: WatchedAlert, point: PricePoint): WatchedAlert {
  const { detectedAt, bought } = alert;
  const { at, price } = point;
  if (bought !== null) return at >= bought.at + DAY_MS ? { ...alert, later: point } : alert;
  const isInTime = at >= detectedAt + REACTION_MS && at < detectedAt + BUYING_MS;
  // A share that costs nothing, or as much as it can pay, cannot be bet on.
  return isInTime && price > 0 && price < 1 ? { ...alert, bought: point } : alert;
}

function intervalOf([second]: LinePoint): number {
  return Math.floor(second / INTERVAL);
}

function dayOfPoint([second]: LinePoint): number {
  return dayOf(second * SECOND_MS);
}
