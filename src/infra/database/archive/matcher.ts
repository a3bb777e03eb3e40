import { CONDITIONS, type Conditions, type Criteria, fulfils } from '../../../core/alerts/passes-filter.ts';
import type { AlertColumns, BlockPart, ColumnBlock, Facet } from './alert-columns.ts';
import type { MatchedListings } from './listings.ts';
import type { TimeSlices } from './time-slices.ts';

/** The conditions on facets. The others have a column, or the listings of a text, in `Matcher`. */
const FACET_CONDITIONS: Conditions<Omit<Criteria, 'minUsdc' | 'minScore' | 'search'>, Facet> = {
  category: CONDITIONS.category,
  categories: CONDITIONS.categories,
  side: CONDITIONS.side,
  type: CONDITIONS.type,
  isResolved: (wanted, { won }) => wanted === (won !== null),
};

/** Receives a match: its block, and its index there. */
export type Visit = (block: ColumnBlock, index: number, id: number) => void;

/** Recognises the alerts that fulfil the criteria. */
export class Matcher {
  readonly #criteria: Criteria;
  readonly #columns: Pick<AlertColumns, 'facets'>;
  /** Null where no text is sought. */
  readonly #matched: MatchedListings | null;
  readonly #minScore: number;
  readonly #minUsdc: number;
  /** 1 by the codes of facets that match. */
  #allowed = new Uint8Array(0);
  readonly #wallet = new Set<number>();
  #lastOfWallet = 0;

  /** `criteria`: with `search` in lower case. `matched`: the listings of the text in the criteria. */
  constructor(
    criteria: Criteria,
    columns: Pick<AlertColumns, 'facets'>,
    matched: MatchedListings | null = null,
  ) {
    this.#criteria = criteria;
    this.#columns = columns;
    this.#matched = matched;
    this.#minScore = criteria.minScore ?? Number.NEGATIVE_INFINITY;
    this.#minUsdc = criteria.minUsdc ?? Number.NEGATIVE_INFINITY;
  }

  /** The ids of the alerts that can match, ascending, where the text is in no listing. */
  get onlyIds(): Iterable<number> | null {
    return this.#matched?.isEmpty === true ? this.#wallet : null;
  }

  /** Must be called after listings were added. */
  async readListings(slices: TimeSlices): Promise<void> {
    await this.#matched?.update(slices);
  }

  /** The newest alert whose wallet is the text, of those that are known; 0 when there is none. */
  get lastOfWallet(): number {
    return this.#lastOfWallet;
  }

  /** The ids of the alerts after `lastOfWallet` whose wallet is the text, ascending. A concurrent call may have read the same. */
  addWallet(ids: readonly number[]): void {
    for (const id of ids) this.#wallet.add(id);
    this.#lastOfWallet = Math.max(this.#lastOfWallet, ids.at(-1) ?? 0);
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
      (this.#matched === null ||
        this.#matched.flags[block.listings[index] as number] === 1 ||
        this.#wallet.has(firstId + index))
    );
  }

  #allow(): void {
    const { facets } = this.#columns;
    if (this.#allowed.length !== facets.length)
      this.#allowed = Uint8Array.from(facets, (facet) =>
        Number(fulfils(FACET_CONDITIONS, this.#criteria, facet)),
      );
  }
}
