import { rounded } from '../base/rounded.ts';
import type { MarketAsOf } from './market-as-of.ts';
import type { MeasuredBuy } from './measured-market.ts';
import type { ObservedBuy } from './price-history.ts';
import { priceMoves } from './price-moves.ts';

/** USDC from which buys are rivals of the alerts. */
const RIVAL_USDC = 1_000;
/** USDC from which rivals are also counted on their own. */
export const LARGE_RIVAL_USDC = 5_000;

/**
 * The buys of any wallet with which the alerts are compared: the first of 1,000 USDC or more of each wallet and outcome, and the first of
 * 5,000 or more. Each is measured as an alert that was published at the second of its order.
 */
export function measureRivals(market: MarketAsOf): readonly MeasuredBuy[] {
  const buys = market.history.buys.filter(({ at }) => at <= market.asOf);
  const first = firstOfEach(buys, RIVAL_USDC);
  const all = new Set([...first, ...firstOfEach(buys, LARGE_RIVAL_USDC)]);
  return buys.filter((buy) => all.has(buy)).map((buy) => measured(market, buy, first.has(buy)));
}

/** The first of at least this size of each wallet and outcome. */
function firstOfEach(buys: readonly ObservedBuy[], usdcMin: number): ReadonlySet<ObservedBuy> {
  const known = new Map<string, ObservedBuy>();
  for (const buy of buys) {
    const name = `${buy.outcome}:${buy.wallet}`;
    if (buy.usdc >= usdcMin && !known.has(name)) known.set(name, buy);
  }
  return new Set(known.values());
}

function measured(market: MarketAsOf, buy: ObservedBuy, isFirst: boolean): MeasuredBuy {
  const { at, wallet, outcome, price, shares, usdc } = buy;
  const payout = market.payoutOf(outcome);
  return {
    at,
    wallet,
    usdc,
    price,
    profitAtStake: rounded(shares - usdc, 6),
    moves: priceMoves(market, { at, outcome, publishedAt: at, payout }),
    payout,
    isFirst,
  };
}
