import pLimit from 'p-limit';
import { AlertColumns } from './alert-columns.ts';
import type { ArchiveSource, IdRange } from './archive-source.ts';
import { Listings } from './listings.ts';
import { TimeSlices } from './time-slices.ts';

/** Settlements read in one query. */
const SETTLEMENTS_PER_READ = 100;

/**
 * The columns of all alerts, as far as they were needed: read from the database once, and afterwards only what was added
 * and what was resolved since.
 */
export class ArchiveIndex {
  readonly columns: AlertColumns;
  readonly listings = new Listings();
  readonly #source: ArchiveSource;
  /** One change at a time: rows that are being read must not be appended after a settlement that they lack. */
  readonly #exclusively = pLimit(1);
  /** The last settlement that the columns have; null before the first read. */
  #seq: number | null = null;

  constructor(source: ArchiveSource, blockSize?: number) {
    this.#source = source;
    this.columns = new AlertColumns(blockSize);
  }

  /** Reads what is missing of a range that exists, newest first. Other calls get their share in between. */
  async read(range: IdRange): Promise<void> {
    const slices = new TimeSlices();
    while (this.columns.missingIn(range, 1).length > 0) {
      await this.#exclusively(() => this.#readMissing(range));
      await slices.pause();
    }
  }

  /** Reads the settlements up to the call. They are written after their alerts. */
  async readSettlements(): Promise<void> {
    for (let isMore = true; isMore; ) isMore = await this.#exclusively(() => this.#readSettlements());
  }

  async #readMissing(range: IdRange): Promise<void> {
    const { columns } = this;
    this.#seq ??= await this.#source.settlements.lastSeq();
    const missing = columns.missingIn(range, this.#source.concurrency);
    if (missing.length === 0) return;
    const read = await Promise.all(missing.map((part) => this.#source.rows(part)));
    const rows = read.flat();
    if (rows.length === 0) throw new Error(`archive: there is no alert ${range.upto}`);
    await this.#readListings(rows.map(({ listing }) => listing));
    for (const row of rows) columns.append(row, this.listings.numberOf(row.listing));
  }

  async #readListings(keys: readonly string[]): Promise<void> {
    const unknown = [...new Set(keys)].filter((key) => !this.listings.has(key));
    if (unknown.length === 0) return;
    for (const listing of await this.#source.listings(unknown)) this.listings.add(listing);
    // One that is missing contains no text; its alerts are found by everything else.
    for (const key of unknown) this.listings.add({ key, marketId: '', title: '', slug: '' });
  }

  /** Returns whether there may be more. */
  async #readSettlements(): Promise<boolean> {
    const { settlements, settled } = this.#source;
    this.#seq ??= await settlements.lastSeq();
    const found = await settlements.after(this.#seq, SETTLEMENTS_PER_READ);
    const markets = [...new Set(found.map(({ marketId }) => marketId))];
    const resolved = markets.length === 0 ? [] : await settled(markets);
    for (const { id, won } of resolved) this.columns.setWon(id, won);
    this.#seq = found.at(-1)?.seq ?? this.#seq;
    return found.length === SETTLEMENTS_PER_READ;
  }
}
