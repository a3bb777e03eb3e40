import pLimit from 'p-limit';
import type { ListingRow } from '../stores/alert-rows.ts';
import type { ArchiveSource } from './archive-source.ts';
import { TimeSlices } from './time-slices.ts';

/** Listings read in one query: some milliseconds. */
const LISTINGS_PER_READ = 1_000;

/** All listings that alerts have, numbered from 0. They never change. */
export class Listings {
  readonly #all: ListingRow[] = [];
  readonly #numbers = new Map<string, number>();

  get length(): number {
    return this.#all.length;
  }

  /** Reads those that are not here. */
  async read(
    keys: readonly string[],
    source: Pick<ArchiveSource, 'listings' | 'concurrency'>,
  ): Promise<void> {
    const unknown = [...new Set(keys)].filter((key) => !this.#numbers.has(key));
    if (unknown.length === 0) return;
    const slices = new TimeSlices();
    const limit = pLimit(source.concurrency);
    const parts = Array.from({ length: Math.ceil(unknown.length / LISTINGS_PER_READ) }, (_, part) =>
      unknown.slice(part * LISTINGS_PER_READ, (part + 1) * LISTINGS_PER_READ),
    );
    await limit.map(parts, async (part) => {
      for (const listing of await source.listings(part)) this.#add(listing);
      await slices.pause();
    });
    // One that is missing contains no text; its alerts are found by everything else.
    for (const key of unknown) this.#add({ key, marketId: '', title: '', slug: '' });
  }

  /** Leaves one that was added before as it is. */
  #add(listing: ListingRow): void {
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

  keyOf(number: number): string {
    return this.#all[number]?.key ?? '';
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
