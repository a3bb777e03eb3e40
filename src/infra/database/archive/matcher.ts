import { CONDITIONS, type Conditions, type Criteria, fulfils } from '../../../core/alerts/passes-filter.ts';
import {
  type AlertColumns,
  type BlockPart,
  type ColumnBlock,
  type Facet,
  inMicros,
} from './alert-columns.ts';
import type { NamedAlerts, Naming } from './named-alerts.ts';
import type { TimeSlices } from './time-slices.ts';

/** The conditions on facets. The others have a column, or what a text names, in `Matcher`. */
const FACET_CONDITIONS: Conditions<Omit<Criteria, 'minUsdc' | 'minPosition' | 'minScore' | Naming>, Facet> = {
  category: CONDITIONS.category,
  categories: CONDITIONS.categories,
  side: CONDITIONS.side,
  type: CONDITIONS.type,
  isResolved: (wanted, { won }) => wanted === (won !== null),
};

interface MatcherOptions {
  /** What the texts of the criteria name. An alert must be in all of it. */
  readonly named?: readonly NamedAlerts[];
  /** Matches only the newest alerts of their threads, of those up to this id. Default: all. */
  readonly newestUpto?: number | null;
}

/** Receives a match: its block, and its index there. */
export type Visit = (block: ColumnBlock, index: number, id: number) => void;

/** Recognises the alerts that fulfil the criteria. */
export class Matcher {
  readonly #criteria: Criteria;
  readonly #columns: Pick<AlertColumns, 'facets' | 'isNewest'>;
  readonly #newestUpto: number | null;
  readonly #named: readonly NamedAlerts[];
  readonly #minScore: number;
  readonly #minUsdc: number;
  readonly #minPosition: number;
  /** 1 by the codes of facets that match. */
  #allowed = new Uint8Array(0);

  constructor(
    criteria: Criteria,
    columns: Pick<AlertColumns, 'facets' | 'isNewest'>,
    { named = [], newestUpto = null }: MatcherOptions = {},
  ) {
    this.#criteria = criteria;
    this.#columns = columns;
    this.#named = named;
    this.#newestUpto = newestUpto;
    this.#minScore = criteria.minScore ?? Number.NEGATIVE_INFINITY;
    this.#minUsdc = criteria.minUsdc ?? Number.NEGATIVE_INFINITY;
    this.#minPosition = criteria.minPosition ?? Number.NEGATIVE_INFINITY;
  }

  /** The ids of the alerts that can match, ascending, where a text is in no listing. */
  get onlyIds(): Iterable<number> | null {
    return this.#named.find(({ isInListing }) => !isInListing)?.ids ?? null;
  }

  /** What sums are of: orders, or what bets have put in. */
  usdcOf(block: ColumnBlock): Float64Array {
    return this.#newestUpto === null ? block.usdc : block.putInUsdc;
  }

  /** The price that was paid, in millionths of a USDC per share: an order's (`entryOf`), or a bet's mean. */
  entryMicrosOf(block: ColumnBlock, index: number): number {
    if (this.#newestUpto === null) return block.entries[index] as number;
    const putIn = block.putInUsdc[index] as number;
    return inMicros(putIn / (putIn + (block.toWinUsdc[index] as number)));
  }

  count({ block, firstId, from, to }: BlockPart): number {
    this.#allow();
    let count = 0;
    for (let index = from; index < to; index++) if (this.#matches(block, index, firstId)) count += 1;
    return count;
  }

  /** All matches, newest first. */
  forEach({ block, firstId, from, to }: BlockPart, visit: Visit): void {
    this.#allow();
    for (let index = to - 1; index >= from; index--)
      if (this.#matches(block, index, firstId)) visit(block, index, firstId + index);
  }

  #matches(block: ColumnBlock, index: number, firstId: number): boolean {
    return (
      this.#allowed[block.facets[index] as number] === 1 &&
      (block.scores[index] as number) >= this.#minScore &&
      (block.usdc[index] as number) > this.#minUsdc &&
      (block.putInUsdc[index] as number) >= this.#minPosition &&
      (this.#newestUpto === null || this.#columns.isNewest(firstId + index, this.#newestUpto)) &&
      (this.#named.length === 0 || this.#isNamed(block.listings[index] as number, firstId + index))
    );
  }

  /** Must be called after alerts or listings were added. */
  async readNamed(slices: TimeSlices): Promise<void> {
    for (const named of this.#named) await named.update(slices);
  }

  #isNamed(listing: number, id: number): boolean {
    for (const named of this.#named) if (!named.has(listing, id)) return false;
    return true;
  }

  #allow(): void {
    const { facets } = this.#columns;
    if (this.#allowed.length !== facets.length)
      this.#allowed = Uint8Array.from(facets, (facet) =>
        Number(fulfils(FACET_CONDITIONS, this.#criteria, facet)),
      );
  }
}
