import type { Draws } from './draws.ts';

/** Small steps; or dear, creeping up and crashing in 1 to 3 % of days; or the other outcome of that. */
export type PriceKind = 'symmetric' | 'favourite' | 'long-shot';

/** Standard deviation of the price's change in 24 hours, USDC: about 6 ¢ for an event's alerts, as on the midterms. */
const DAY_DEVIATION = 0.071;
const LOWEST = 0.03;
const FAVOURITE = { from: 0.8, until: 0.92, most: 0.985, crashes: [0.01, 0.03], crashedTo: 0.06 } as const;

/** A price of which nothing known says where it goes: its mean at any later time is what it is now. */
export class PricePath {
  readonly #draws: Draws;
  readonly #kind: PriceKind;
  readonly #crashesADay: number;
  #price: number;

  constructor(draws: Draws, kind: PriceKind) {
    this.#draws = draws;
    this.#kind = kind;
    this.#crashesADay = draws.uniform(...FAVOURITE.crashes);
    this.#price =
      kind === 'symmetric' ? draws.uniform(0.3, 0.7) : draws.uniform(FAVOURITE.from, FAVOURITE.until);
  }

  get price(): number {
    return this.#kind === 'long-shot' ? 1 - this.#price : this.#price;
  }

  pass(days: number): void {
    if (this.#kind === 'symmetric') this.#stepBy(DAY_DEVIATION * Math.sqrt(days) * this.#draws.normal());
    else this.#creepOrCrash(1 - Math.exp(-this.#crashesADay * days));
  }

  /** The same amount up or down: where the bound is nearer, a smaller one. */
  #stepBy(step: number): void {
    const room = Math.max(0, Math.min(this.#price - LOWEST, 1 - LOWEST - this.#price));
    this.#price += Math.sign(step) * Math.min(Math.abs(step), room);
  }

  #creepOrCrash(chance: number): void {
    const crept = (this.#price - chance * FAVOURITE.crashedTo) / (1 - chance);
    if (this.#price <= FAVOURITE.crashedTo || crept > FAVOURITE.most) return;
    this.#price = this.#draws.chance(chance) ? FAVOURITE.crashedTo : crept;
  }
}
