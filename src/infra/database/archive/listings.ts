import type { ListingRow } from '../stores/alert-rows.ts';

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
