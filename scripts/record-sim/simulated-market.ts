import { rounded } from '../../src/core/base/rounded.ts';
import { Draws } from './draws.ts';
import { PricePath } from './price-path.ts';
import { DAY_S, type PlannedAlert, type PlannedMarket } from './simulated-event.ts';
import type { World } from './worlds.ts';

const HALF_SPREAD = 0.005;
const TICK_DECIMALS = 3;
const LOWEST = 0.005;
/** Background orders, and those that an alert's order draws within its first minute. */
const ORDER_EVERY_S = 720;
const RARE_ORDER_EVERY_S = 30_000;
const FOLLOWING_MEAN = 3;
const FOLLOWING_WITHIN_S = 58;
const LEANS_S = 1_800;
const LED_S = 3 * 3_600;
const OLD_WALLETS = 600;
/** Logarithms of USDC: median 100, 30 % of 250 or more, 9 % of 1,000 or more. */
const ORDER_USDC = { mean: Math.log(100), deviation: 1.7, most: 30_000 } as const;

/** A taker's order. `wallet`: `old` ones are known not to be fresh, `fresh` ones lead to alerts. */
export interface SimulatedOrder {
  readonly at: number;
  readonly wallet: { readonly kind: 'old' | 'fresh'; readonly no: number };
  readonly side: 'BUY' | 'SELL';
  readonly outcome: 0 | 1;
  readonly fills: readonly { readonly price: number; readonly usdc: number }[];
}

export interface SimulatedMarket {
  readonly orders: readonly SimulatedOrder[];
  readonly winner: 0 | 1;
}

/** Moves the price by `amount` in even steps between two times; a jump right after `from` where both are equal. */
interface Ramp {
  readonly from: number;
  readonly until: number;
  readonly amount: number;
}

/** The orders of a market. Without `drift` its price is a martingale; the impact is permanent. */
export function simulateMarket(
  seed: number,
  market: PlannedMarket,
  { world, drift }: { readonly world: World; readonly drift: number },
): SimulatedMarket {
  const draws = new Draws(seed, market.no, 2);
  const path = new PricePath(draws, world.prices);
  const ramps = rampsOf(market, world, drift);
  let last = market.from;
  const midAt = (at: number) => {
    path.pass((at - last) / DAY_S);
    last = at;
    const moved = ramps.reduce((sum, ramp) => sum + movedBy(ramp, at), 0);
    const own = Math.min(Math.max(path.price + moved, LOWEST), 1 - LOWEST);
    return market.outcome === 0 ? own : 1 - own;
  };
  const orders = momentsOf(market, world, draws).map(({ at, alert }) => {
    const mid = midAt(at);
    return alert === null
      ? backgroundOrder(draws, at, mid)
      : alertOrder(market, { ...alert, impact: world.impact }, mid);
  });
  return { orders, winner: draws.chance(midAt(market.until)) ? 0 : 1 };
}

/** On the scale of the outcome that alerts buy. */
function rampsOf({ alerts }: PlannedMarket, { impact, before: led }: World, drift: number): readonly Ramp[] {
  return alerts.flatMap(({ at }, index) => {
    const [before, after] = [alerts[index - 1], alerts[index + 1]];
    const end = Math.min(at + DAY_S, after?.at ?? Number.POSITIVE_INFINITY);
    // A later alert of a market buys what the others bought, which the market expects: the price leans against it before.
    const leansFrom = before === undefined ? null : Math.max(before.at, at - LEANS_S);
    return [
      { from: at, until: at, amount: impact },
      ...(leansFrom === null
        ? [{ from: at - LED_S, until: at, amount: led }]
        : [{ from: leansFrom, until: at, amount: -impact }]),
      // Of days that overlap each hour moves the price one time, so that it moves by `drift` after every alert.
      { from: at, until: end, amount: (drift * (end - at)) / DAY_S },
    ];
  });
}

function movedBy({ from, until, amount }: Ramp, at: number): number {
  if (at <= from) return 0;
  return at >= until ? amount : (amount * (at - from)) / (until - from);
}

interface Moment {
  readonly at: number;
  readonly alert: PlannedAlert | null;
}

/** Ascending, each in a second of its own. */
function momentsOf(
  { from, until, alerts }: PlannedMarket,
  { isThin }: World,
  draws: Draws,
): readonly Moment[] {
  const moments = new Map<number, Moment>();
  const everyS = isThin ? RARE_ORDER_EVERY_S : ORDER_EVERY_S;
  for (let at = from; at < until; at += 1 + Math.floor(draws.exponential(everyS)))
    moments.set(at, { at, alert: null });
  for (const { at } of alerts)
    for (let left = isThin ? 0 : draws.geometric(FOLLOWING_MEAN); left > 0; left--) {
      const second = at + 1 + draws.index(FOLLOWING_WITHIN_S);
      moments.set(second, { at: second, alert: null });
    }
  for (const alert of alerts) moments.set(alert.at, { at: alert.at, alert });
  return [...moments.values()].sort((a, b) => a.at - b.at);
}

function backgroundOrder(draws: Draws, at: number, mid: number): SimulatedOrder {
  const [outcome, isBuy] = [draws.index(2) as 0 | 1, draws.chance(0.5)];
  const middle = outcome === 0 ? mid : 1 - mid;
  const price = toTick(isBuy ? middle + HALF_SPREAD : middle - HALF_SPREAD);
  const { mean, deviation, most } = ORDER_USDC;
  const usdc = Math.min(Math.exp(mean + deviation * draws.normal()), most);
  const wallet = { kind: 'old' as const, no: draws.index(OLD_WALLETS) };
  return { at, wallet, side: isBuy ? 'BUY' : 'SELL', outcome, fills: [{ price, usdc }] };
}

/** It walks through the book: half of it is filled at the price before, half at the price that it makes. */
function alertOrder(
  { outcome }: PlannedMarket,
  { at, wallet, usdc, impact }: PlannedAlert & { readonly impact: number },
  mid: number,
): SimulatedOrder {
  const ask = (outcome === 0 ? mid : 1 - mid) + HALF_SPREAD;
  const fills = [ask, ask + impact].map((price) => ({ price: toTick(price), usdc: usdc / 2 }));
  return { at, wallet: { kind: 'fresh', no: wallet }, side: 'BUY', outcome, fills };
}

function toTick(price: number): number {
  return rounded(price, TICK_DECIMALS);
}

export const OLD_WALLET_NUMBERS: readonly number[] = Array.from({ length: OLD_WALLETS }, (_, no) => no);
