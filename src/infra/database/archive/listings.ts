import pLimit from 'p-limit';
import { isInTexts, searchedWords } from '../../../core/alerts/search-text.ts';
import type { ListingRow } from '../stores/alert-rows.ts';
import type { ArchiveSource } from './archive-source.ts';
import { TimeSlices } from './time-slices.ts';

/** Listings read in one query: some milliseconds. */
const LISTINGS_PER_READ = 1_000;
/** Markets that a text names, at most. */
const NAMED_MAX = 50;

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

  /** The markets that have, or had, a slug, or that have this id; in lower case. */
  marketsOfSlug(name: string): ReadonlySet<string> {
    const found = this.#all.filter(({ slug, marketId }) => slug === name || marketId.toLowerCase() === name);
    return new Set(found.map(({ marketId }) => marketId));
  }

  /**
   * The markets with a question or slug that is the text, in lower case; without one those that have all its words. The last that were
   * added, so many as are worth a look at their alerts.
   */
  async marketsNamed(text: string): Promise<readonly string[]> {
    const slices = new TimeSlices();
    const searched = searchedWords(text);
    const exact = new Set<string>();
    const partly = new Set<string>();
    for (let number = this.#all.length - 1; number >= 0; number--) {
      const { marketId, title, slug } = this.#all[number] as ListingRow;
      if (slug === text || title === text) exact.add(marketId);
      else if (partly.size < NAMED_MAX && isInTexts(searched, { marketId, slug, title }))
        partly.add(marketId);
      if (number % LISTINGS_PER_READ === 0) await slices.pause();
    }
    return [...(exact.size > 0 ? exact : partly)].slice(0, NAMED_MAX);
  }

  /** Null for a number that was not given yet. */
  at(number: number): ListingRow | null {
    return this.#all[number] ?? null;
  }
}
