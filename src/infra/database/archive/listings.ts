import type { ListingRow } from '../stores/alert-rows.ts';
import type { TimeSlices } from './time-slices.ts';

/** All listings that alerts have, numbered from 0. They never change. */
export class Listings {
  readonly #all: ListingRow[] = [];
  readonly #numbers = new Map<string, number>();

  get length(): number {
    return this.#all.length;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** Leaves one that was added before as it is. */
  add(listing: ListingRow): void {
    const { key } = listing;
    if (this.#numbers.has(key)) return;
    this.#numbers.set(key, this.#all.length);
    this.#all.push(listing);
  }

  /** Throws for one that was not added. */
  numberOf(key: string): number {
    const number = this.#numbers.get(key);
    if (number === undefined) throw new Error(`archive: there is no listing ${key}`);
    return number;
  }

  marketOf(number: number): string {
    return this.#all[number]?.marketId ?? '';
  }

  /** The markets that have, or had, a slug in lower case. */
  marketsOfSlug(slug: string): ReadonlySet<string> {
    return new Set(this.#all.filter((listing) => listing.slug === slug).map(({ marketId }) => marketId));
  }

  /** Whether the question or the slug contains a text in lower case. */
  contains(number: number, text: string): boolean {
    const listing = this.#all[number];
    return listing !== undefined && (listing.title.includes(text) || listing.slug.includes(text));
  }
}

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
