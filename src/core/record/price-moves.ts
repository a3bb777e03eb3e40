import { DAY_MS, HOUR_MS, MINUTE_MS } from '../duration.ts';
import { rounded } from '../rounded.ts';
import type { EpochMs } from '../trade.ts';
import type { MarketAsOf, TrackedOrder } from './market-as-of.ts';
import type { PriceMoves } from './measured-market.ts';

/** How long after publication the reference moment and a follower's order are at the earliest. */
const REACTION_MS = MINUTE_MS;

/** The first whole minute at least 60 s after publication: prices are kept by the minute, so up to 59 s later than 60 s. */
export function referenceMoment(publishedAt: EpochMs): EpochMs {
  return Math.ceil((publishedAt + REACTION_MS) / MINUTE_MS) * MINUTE_MS;
}

/** Prices before an order and after its publication. */
export function priceMoves(market: MarketAsOf, order: TrackedOrder): PriceMoves {
  const moment = referenceMoment(order.publishedAt);
  const [after1h, after24h] = laterMoments(order);
  const reference = market.priceAt(moment, order);
  const before = market.priceAt(Math.floor(order.at / MINUTE_MS) * MINUTE_MS, order);
  const later = market.priceAt(after24h, order);
  const [drift1h, drift24h] = [
    difference(market.priceAt(after1h, order), reference),
    difference(later, reference),
  ];
  const missing = typeof reference === 'number' ? later : reference;
  return {
    reference: typeof reference === 'number' ? rounded(reference, 6) : null,
    impact: difference(reference, before),
    drift1h,
    drift24h,
    state: typeof missing === 'number' ? 'measured' : missing,
    knownAt1h: drift1h === null ? null : market.knownAt(after1h, order),
    knownAt: drift24h === null ? null : market.knownAt(after24h, order),
  };
}

/** The moments of the 1 h and of the 24 h price. */
export function laterMoments({ publishedAt }: TrackedOrder): readonly [EpochMs, EpochMs] {
  const moment = referenceMoment(publishedAt);
  return [moment + HOUR_MS, moment + DAY_MS];
}

type Price = ReturnType<MarketAsOf['priceAt']>;

function difference(price: Price, from: Price): number | null {
  return typeof price === 'number' && typeof from === 'number' ? rounded(price - from, 6) : null;
}
