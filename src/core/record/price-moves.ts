import { rounded } from '../base/rounded.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../base/time/duration.ts';
import type { MarketAsOf, TrackedOrder } from './market-as-of.ts';
import type { PriceMoves } from './measured-market.ts';

/** How long after publication the reference moment and a follower's order are at the earliest. */
const REACTION_MS = MINUTE_MS;
/** How much later the reference moment is at most, when no other order comes. */
const STALE_MS = HOUR_MS;

/** The first whole minute at least 60 s after publication: prices are kept by the minute, so up to 59 s later than 60 s. */
export function reactionMinute(publishedAt: EpochMs): EpochMs {
  return Math.ceil((publishedAt + REACTION_MS) / MINUTE_MS) * MINUTE_MS;
}

/**
 * Prices before an order and after its publication. The reference is a price of orders that came after it: in a thin market the last
 * orders are older, and its own impact would count as drift.
 */
export function priceMoves(market: MarketAsOf, order: TrackedOrder): PriceMoves {
  const from = reactionMinute(order.publishedAt);
  const until = from + STALE_MS;
  const found = market.priceAfter(order, { from, until });
  if (typeof found === 'string') {
    const unknown = { reference: null, impact: null, drift1h: null, drift24h: null, state: found };
    const knownAt = found === 'pending' ? null : until;
    return { ...unknown, knownAt1h: knownAt, knownAt };
  }
  const { minute, price } = found;
  const [after1h, after24h] = [minute + HOUR_MS, minute + DAY_MS];
  const later = market.priceAt(after24h, order);
  return {
    reference: rounded(price, 6),
    impact: difference(price, market.priceAt(order.at, order)),
    drift1h: difference(market.priceAt(after1h, order), price),
    drift24h: difference(later, price),
    state: typeof later === 'number' ? 'measured' : later,
    knownAt1h: market.knownAt(after1h, order),
    knownAt: market.knownAt(after24h, order),
  };
}

type Price = ReturnType<MarketAsOf['priceAt']>;

function difference(price: Price, from: Price): number | null {
  return typeof price === 'number' && typeof from === 'number' ? rounded(price - from, 6) : null;
}
