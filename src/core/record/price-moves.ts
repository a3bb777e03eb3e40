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
  return movesFrom(referenceOf(market, order), market, order);
}

/** The same with when the 1 h and the 24 h price were known or found missing; null while they are pending. */
export function timedMoves(market: MarketAsOf, order: TrackedOrder) {
  const reference = referenceOf(market, order);
  return {
    moves: movesFrom(reference, market, order),
    decidedAt: decidedAt(reference, market, order),
  };
}

function movesFrom(reference: Reference, market: MarketAsOf, order: TrackedOrder): PriceMoves {
  if (typeof reference === 'string') return unmeasured(reference);
  const { minute, price } = reference;
  const [after1h, after24h] = [minute + HOUR_MS, minute + DAY_MS];
  const later = market.priceAt(after24h, order);
  const [drift1h, drift24h] = [difference(market.priceAt(after1h, order), price), difference(later, price)];
  return {
    reference: rounded(price, 6),
    impact: difference(price, market.priceAt(order.at, order)),
    drift1h,
    drift24h,
    state: typeof later === 'number' ? 'measured' : later,
    knownAt1h: drift1h === null ? null : market.knownAt(after1h, order),
    knownAt: drift24h === null ? null : market.knownAt(after24h, order),
  };
}

function decidedAt(
  reference: Reference,
  market: MarketAsOf,
  order: TrackedOrder,
): readonly [after1h: EpochMs | null, after24h: EpochMs | null] {
  if (reference === 'pending') return [null, null];
  if (typeof reference === 'string') {
    const end = reactionMinute(order.publishedAt) + STALE_MS;
    return [end, end];
  }
  const { minute } = reference;
  return [market.knownAt(minute + HOUR_MS, order), market.knownAt(minute + DAY_MS, order)];
}

type Reference = ReturnType<typeof referenceOf>;

function referenceOf(market: MarketAsOf, order: TrackedOrder) {
  const from = reactionMinute(order.publishedAt);
  return market.priceAfter(order, { from, until: from + STALE_MS });
}

function unmeasured(state: PriceMoves['state']): PriceMoves {
  return {
    reference: null,
    impact: null,
    drift1h: null,
    drift24h: null,
    state,
    knownAt1h: null,
    knownAt: null,
  };
}

type Price = ReturnType<MarketAsOf['priceAt']>;

function difference(price: Price, from: Price): number | null {
  return typeof price === 'number' && typeof from === 'number' ? rounded(price - from, 6) : null;
}
