import type { Criteria } from '../../../core/alerts/passes-filter.ts';
import { isInTexts, readSearch, type Searched, searchedEvent } from '../../../core/alerts/search-text.ts';
import type { ListingRow } from '../stores/alert-rows.ts';
import type { ArchiveSource } from './archive-source.ts';
import type { Listings } from './listings.ts';
import type { TimeSlices } from './time-slices.ts';

/** How a text names alerts: by a listing that it fits, or by their ids, ascending. */
interface NamedBy {
  readonly fits: (listing: ListingRow) => boolean;
  readonly ids: (source: IdSource) => Promise<readonly number[]>;
}
type IdSource = Pick<ArchiveSource, 'ofWallet' | 'ofEvent' | 'walletsBetween'>;

/** Wallets of a shortened address, at most. */
const WALLETS_MAX = 20;

/** The texts in lower case. */
const NAMINGS = {
  search(text): NamedBy {
    const searched = readSearch(text);
    return {
      fits: (listing) => isInTexts(searched, { ...listing, marketId: listing.marketId.toLowerCase() }),
      ids: (source) => idsOf(searched, source),
    };
  },
  wallet: (text): NamedBy => ({ fits: () => false, ids: (source) => source.ofWallet(text) }),
  market: (text): NamedBy => ({
    fits: ({ marketId, slug }) => slug === text || marketId.toLowerCase() === text,
    ids: async () => [],
  }),
} as const satisfies Partial<Record<keyof Criteria, (text: string) => NamedBy>>;

/** The criteria that are texts. */
export type Naming = keyof typeof NAMINGS;

async function idsOf(searched: Searched, source: IdSource): Promise<readonly number[]> {
  if (searched.kind === 'alert') return [searched.id];
  if (searched.kind === 'wallet') {
    const upto = Number.MAX_SAFE_INTEGER;
    const wallets = await source.walletsBetween(searched.ends, { upto, limit: WALLETS_MAX });
    const ids = await Promise.all(wallets.map((wallet) => source.ofWallet(wallet)));
    return ids.flat().sort((a, b) => a - b);
  }
  const event = searchedEvent(searched);
  return event === null ? [] : source.ofEvent(event);
}

/** The texts of criteria, as they are stored: a half of a surrogate pair is U+FFFD. */
export function textsOf(criteria: Criteria): readonly (readonly [Naming, string])[] {
  return (Object.keys(NAMINGS) as Naming[]).flatMap((naming) => {
    const text = criteria[naming];
    return text === undefined ? [] : [[naming, text.toWellFormed()] as const];
  });
}

/** So many texts take much less than a slice. */
const LISTINGS_PER_STEP = 500;

/** The alerts that a text names. Each listing is examined once. */
export class NamedAlerts {
  readonly #namedBy: NamedBy;
  readonly #listings: Listings;
  readonly #source: IdSource;
  /** 1 by the number of a listing that the text fits. */
  #flags = new Uint8Array(0);
  #examined = 0;
  #isInListing = false;
  /** Ascending. */
  #ids: ReadonlySet<number> = new Set();

  constructor([naming, text]: readonly [Naming, string], listings: Listings, source: IdSource) {
    this.#namedBy = NAMINGS[naming](text);
    this.#listings = listings;
    this.#source = source;
  }

  /** Whether there is a listing that the text fits. */
  get isInListing(): boolean {
    return this.#isInListing;
  }

  /** Those that the text names by wallet, id or event, ascending; where it is in no listing there are no others. */
  get ids(): Iterable<number> {
    return this.#ids;
  }

  has(listing: number, id: number): boolean {
    return this.#flags[listing] === 1 || this.#ids.has(id);
  }

  /** Must be called after alerts or listings were added. */
  async update(slices: TimeSlices): Promise<void> {
    this.#ids = new Set(await this.#namedBy.ids(this.#source));
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
      const listing = this.#listings.at(this.#examined);
      if (listing === null || !this.#namedBy.fits(listing)) continue;
      this.#flags[this.#examined] = 1;
      this.#isInListing = true;
    }
  }
}
