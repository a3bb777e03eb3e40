import type { Criteria } from '../../../core/alerts/passes-filter.ts';
import type { ListingRow } from '../stores/alert-rows.ts';
import type { ArchiveSource } from './archive-source.ts';
import type { Listings } from './listings.ts';
import type { TimeSlices } from './time-slices.ts';

/** How a text in lower case names alerts: by a listing that it fits, or by their wallet. */
const NAMINGS = {
  search: {
    fits: ({ title, slug }: ListingRow, text: string) => title.includes(text) || slug.includes(text),
    isOfWallet: true,
  },
  wallet: { fits: () => false, isOfWallet: true },
  market: {
    fits: ({ marketId, slug }: ListingRow, text: string) => slug === text || marketId.toLowerCase() === text,
    isOfWallet: false,
  },
} as const satisfies Partial<Record<keyof Criteria, unknown>>;

/** The criteria that are texts. */
export type Naming = keyof typeof NAMINGS;

/** The texts of criteria, as they are stored: a half of a surrogate pair is U+FFFD. */
export function textsOf(criteria: Criteria): readonly (readonly [Naming, string])[] {
  return (Object.keys(NAMINGS) as Naming[]).flatMap((naming) => {
    const text = criteria[naming];
    return text === undefined ? [] : [[naming, text.toWellFormed()] as const];
  });
}

/** So many texts take much less than a slice. */
const LISTINGS_PER_STEP = 500;

/** The alerts that a text names. Each listing is examined once, and each alert of a wallet read once. */
export class NamedAlerts {
  readonly #text: string;
  readonly #naming: (typeof NAMINGS)[Naming];
  readonly #listings: Listings;
  readonly #source: Pick<ArchiveSource, 'ofWallet'>;
  /** 1 by the number of a listing that the text fits. */
  #flags = new Uint8Array(0);
  #examined = 0;
  #isInListing = false;
  /** Ascending. */
  readonly #ofWallet = new Set<number>();
  #lastOfWallet = 0;

  constructor(
    [naming, text]: readonly [Naming, string],
    listings: Listings,
    source: Pick<ArchiveSource, 'ofWallet'>,
  ) {
    this.#text = text;
    this.#naming = NAMINGS[naming];
    this.#listings = listings;
    this.#source = source;
  }

  /** Whether there is a listing that the text fits. */
  get isInListing(): boolean {
    return this.#isInListing;
  }

  /** Those whose wallet is the text, ascending; where it is in no listing there are no others. */
  get ids(): Iterable<number> {
    return this.#ofWallet;
  }

  has(listing: number, id: number): boolean {
    return this.#flags[listing] === 1 || this.#ofWallet.has(id);
  }

  /** Must be called after alerts or listings were added. */
  async update(slices: TimeSlices): Promise<void> {
    if (this.#naming.isOfWallet) await this.#readWallet();
    while (this.#examined < this.#listings.length) {
      this.#examine(Math.min(this.#listings.length, this.#examined + LISTINGS_PER_STEP));
      await slices.pause();
    }
  }

  /** A concurrent call may read the same. */
  async #readWallet(): Promise<void> {
    const ids = await this.#source.ofWallet(this.#text, this.#lastOfWallet);
    for (const id of ids) this.#ofWallet.add(id);
    this.#lastOfWallet = Math.max(this.#lastOfWallet, ids.at(-1) ?? 0);
  }

  #examine(end: number): void {
    if (this.#flags.length < end) {
      const flags = new Uint8Array(Math.ceil(1.2 * this.#listings.length));
      flags.set(this.#flags);
      this.#flags = flags;
    }
    for (; this.#examined < end; this.#examined++) {
      const listing = this.#listings.at(this.#examined);
      if (listing === null || !this.#naming.fits(listing, this.#text)) continue;
      this.#flags[this.#examined] = 1;
      this.#isInListing = true;
    }
  }
}
