import type { Listings } from './listings.ts';
import type { TimeSlices } from './time-slices.ts';

/** So many texts take much less than a slice. */
const LISTINGS_PER_STEP = 500;

/** The listings that contain a text. Each is examined once. */
export class MatchedListings {
  /** In lower case. */
  readonly text: string;
  readonly #listings: Listings;
  #flags = new Uint8Array(0);
  #examined = 0;
  #isEmpty = true;

  constructor(listings: Listings, text: string) {
    this.#listings = listings;
    this.text = text;
  }

  /** 1 by the number of a listing that matches. */
  get flags(): Readonly<Uint8Array> {
    return this.#flags;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Must be called after listings were added. */
  async update(slices: TimeSlices): Promise<void> {
    while (this.#examined < this.#listings.length) {
      this.#examine(Math.min(this.#listings.length, this.#examined + LISTINGS_PER_STEP));
      await slices.pause();
    }
  }

  #examine(end: number): void {
    if (this.#flags.length < end) {
      const flags = new Uint8Array(Math.ceil(1.2 * this.#listings.length));
      flags.set(this.#flags);
      this.#flags = flags;
    }
    for (; this.#examined < end; this.#examined++) {
      if (!this.#listings.contains(this.#examined, this.text)) continue;
      this.#flags[this.#examined] = 1;
      this.#isEmpty = false;
    }
  }
}
