import type { PriceKind } from './price-path.ts';

/** What is true in a simulated world. Prices are USDC a share of the outcome that alerts buy. */
export interface World {
  readonly name: string;
  readonly prices: PriceKind;
  /** What the price does in the hours before an alert, toward its outcome, and what the alert's order moves it by, for good. */
  readonly before: number;
  readonly impact: number;
  /** By how much it moves on in the 24 hours after an alert: in this share of the events. */
  readonly drift: number;
  readonly share: number;
  /** The chance that the first order after an alert is a buy, which pays half the spread; a sale gets it. */
  readonly buys: number;
  /** Orders are so rare that prices are late or missing. */
  readonly isThin: boolean;
  /** Markets are settled within two days of an alert, at dates fixed before. */
  readonly isShort: boolean;
}

const FAIR: World = {
  ...{ name: 'fair', prices: 'symmetric', before: 0, impact: 0.017, drift: 0, share: 0 },
  ...{ buys: 0.5, isThin: false, isShort: false },
};

/** In these no reader gains: "above" and "below" each must come in at most 2 % of them. */
export const FAIR_WORLDS: readonly World[] = [
  FAIR,
  { ...FAIR, name: 'favourites', prices: 'favourite', impact: 0.002 },
  { ...FAIR, name: 'long-shots', prices: 'long-shot', impact: 0.002 },
  { ...FAIR, name: 'momentum', before: 0.04 },
  { ...FAIR, name: 'dips', before: -0.04 },
  { ...FAIR, name: 'impact', impact: 0.05 },
  { ...FAIR, name: 'thin', isThin: true },
  { ...FAIR, name: 'settled-by-date', isShort: true },
];

/** The first order after an alert is mostly a buy: a reader pays the spread, which is no fair price. */
export const SPREAD_WORLD: World = { ...FAIR, name: 'spread', buys: 0.75 };

/** In these readers gain. */
export const PLANTED_WORLDS: readonly World[] = [
  { ...FAIR, name: '3c', drift: 0.03, share: 1 },
  { ...FAIR, name: '2c', drift: 0.02, share: 1 },
  { ...FAIR, name: '10c-in-a-quarter', drift: 0.1, share: 0.25 },
];

/** The drift in this event. Exactly the stated share of many events has it. */
export function driftOf({ drift, share }: World, event: number): number {
  return Math.floor((event + 1) * share) > Math.floor(event * share) ? drift : 0;
}
