import { DAY_MS, HOUR_MS } from '../../src/core/base/time/duration.ts';
import { type Bettors, type Offer, oneAtATime, playBets } from '../../src/core/record/bettor.ts';
import { Draws } from './draws.ts';
import { PricePath } from './price-path.ts';
import { driftOf, type World } from './worlds.ts';

const THRESHOLD = 50;
/** Alerts come so often that a bettor with one bet at a time always finds one. */
const OFFER_EVERY_MS = 10 * HOUR_MS;
const HALF_SPREAD = 0.005;
const STEPS_A_DAY = 6;
const HOURS_MOST = 500;
/** Of a thin market: alerts without a price, ends that are late, and those that are unknown for as long as one looks. */
const THIN = { missing: 0.3, late: 0.3, lateDays: 2, unknown: 0.05 } as const;

export interface BettorRun extends Bettors {
  readonly played: readonly Offer[];
}

export function playWorld(world: World, seed: number, bets: number): BettorRun {
  const offers: Offer[] = [];
  // In a day three offers come.
  for (let id = 0; id < bets * 4; id += 1) {
    const offer = offerOf(world, new Draws(seed, id, 5), id);
    if (offer !== null) offers.push(offer);
  }
  const played = oneAtATime(offers).slice(0, bets);
  return { ...playBets(played, { threshold: THRESHOLD }), played };
}

function offerOf(world: World, draws: Draws, id: number): Offer | null {
  const path = new PricePath(draws, world.prices);
  waitForMove(path, world.before);
  if (world.isThin && draws.chance(THIN.missing)) return null;
  const spread = () => (world.buys === 0.5 ? 0 : draws.chance(world.buys) ? HALF_SPREAD : -HALF_SPREAD);
  const start = path.price;
  const price = within(start + world.impact + spread());
  const settlesAfter = world.isShort ? draws.uniform(0, 2) : Number.POSITIVE_INFINITY;
  const late = world.isThin && draws.chance(THIN.late) ? draws.exponential(THIN.lateDays) : 0;
  const days = Math.min(1 + late, settlesAfter);
  for (let step = 0; step < STEPS_A_DAY; step += 1) path.pass(days / STEPS_A_DAY);
  // What the order moved, it moved for good.
  const later = within(path.price + world.impact + driftOf(world, id));
  const value = days === settlesAfter ? Number(draws.chance(later)) : later;
  const isUnknown = world.isThin && draws.chance(THIN.unknown);
  const openedAt = id * OFFER_EVERY_MS;
  const closedAt = openedAt + Math.max(1_000, Math.floor(days * DAY_MS));
  return { id, openedAt, price, ...(isUnknown ? { closedAt: null, value: null } : { closedAt, value }) };
}

/** Until the price has moved so much within three hours, as it had before those who follow moves bought. */
function waitForMove(path: PricePath, move: number): void {
  const last = [path.price, path.price, path.price];
  for (let hour = 0; hour < HOURS_MOST; hour += 1) {
    const moved = path.price - (last.shift() ?? 0);
    if (move === 0 || (move > 0 ? moved >= move : moved <= move)) return;
    last.push(path.price);
    path.pass(1 / 24);
  }
}

function within(price: number): number {
  return Math.min(Math.max(price, 0.005), 0.995);
}
