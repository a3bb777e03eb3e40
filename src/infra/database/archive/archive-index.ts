import pLimit from 'p-limit';
import type { Logger } from '../../../core/base/logger.ts';
import { AlertColumns } from './alert-columns.ts';
import type { ArchiveSource, IdRange } from './archive-source.ts';
import { Listings } from './listings.ts';
import { Segments } from './segments.ts';
import { TimeSlices } from './time-slices.ts';

/** Settlements read in one query. */
const SETTLEMENTS_PER_READ = 100;
/** Settlements after which stored results are stored again: so many are read at a start, with their alerts. */
const STORED_RESULTS_AGE = 500;

export interface ArchiveOptions {
  /** Alerts in a block of columns. */
  readonly blockSize?: number;
  readonly blocksPerSegment?: number;
  /** Called once, with the first failure to store columns: the next start reads those alerts instead. */
  readonly onStoreFailed?: ((error: unknown) => void) | undefined;
}

/** Logs what becomes of columns that were not stored. */
export function warnOfColumns(logger?: Pick<Logger, 'warn'>): (reason: unknown) => void {
  return (reason) =>
    logger?.warn(
      { reason: String(reason) },
      'columns of alerts not stored: a later start reads these alerts',
    );
}

/**
 * The columns of all alerts, as far as they were needed: read from the database once, and afterwards only what was added
 * and what was resolved since.
 */
export class ArchiveIndex {
  readonly columns: AlertColumns;
  readonly listings = new Listings();
  readonly #source: ArchiveSource;
  readonly #segments: Segments;
  /** One change at a time: rows that are being read must not be appended after a settlement that they lack. */
  readonly #exclusively = pLimit(1);
  /** The last settlement that the columns have; null before the first read. */
  #seq: number | null = null;
  #loading: Promise<void> | null = null;
  #storing: Promise<void> | null = null;
  #canStore: boolean;
  readonly #onStoreFailed: ArchiveOptions['onStoreFailed'];

  constructor(source: ArchiveSource, { blockSize, blocksPerSegment, onStoreFailed }: ArchiveOptions = {}) {
    this.#source = source;
    this.#onStoreFailed = onStoreFailed;
    this.columns = new AlertColumns(blockSize);
    this.#canStore = source.segments !== null;
    this.#segments = new Segments(source, this.columns, this.listings, blocksPerSegment);
  }

  /** Reads what is missing of a range that exists: segments of a long one, then rows, newest first. Other calls get their share in between. */
  async read(range: IdRange): Promise<void> {
    if (range.upto - range.after >= this.#segments.size) await this.#loadSegments(range.upto);
    await this.#readRows(range);
    this.#store();
  }

  /** Reads the settlements up to the call. They are written after their alerts. */
  async readSettlements(): Promise<void> {
    for (let isMore = true; isMore; ) isMore = await this.#exclusively(() => this.#readSettlements());
    this.#store();
  }

  async #loadSegments(upto: number): Promise<void> {
    this.#loading ??= this.#loadAll(upto).catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    await this.#loading;
  }

  /** What is not stored is read from the alerts, and stored at once: a start that ends early leaves less to the next one. */
  async #loadAll(upto: number): Promise<void> {
    const segments = this.#segments;
    const end = Math.floor(upto / segments.size);
    const slices = new TimeSlices();
    while (this.#canStore && segments.count < end) {
      if (await this.#exclusively(() => this.#loadNext(end, slices))) continue;
      const after = segments.count * segments.size;
      await this.#readRows({ after, upto: after + segments.size });
      await this.#storeNext();
    }
  }

  /** The results may be older than what is in memory: their settlements are read again. */
  async #loadNext(end: number, slices: TimeSlices): Promise<boolean> {
    const isLoaded = await this.#segments.loadNext(end, slices);
    if (isLoaded) this.#seq = Math.min(this.#seq ?? Number.POSITIVE_INFINITY, this.#segments.seq);
    return isLoaded;
  }

  /** Ends what is stored in the background. */
  async close(): Promise<void> {
    this.#canStore = false;
    await this.#storing;
  }

  /** In the background, for later starts. */
  #store(): void {
    if (this.#loading === null || !this.#canStore) return;
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = null;
    });
  }

  async #storeAll(): Promise<void> {
    while (this.#canStore && (await this.#storeNext()));
    const seq = () => this.#seq ?? 0;
    if (this.#canStore && seq() - this.#segments.seq >= STORED_RESULTS_AGE)
      await this.#stored(() => this.#segments.storeResults(seq));
  }

  #storeNext(): Promise<boolean> {
    return this.#exclusively(() => this.#stored(() => this.#segments.storeNext(this.#seq ?? 0)));
  }

  /** After a failure, which does not concern those that search, storing is left to a later start. */
  async #stored(store: () => Promise<boolean>): Promise<boolean> {
    try {
      return await store();
    } catch (error) {
      if (this.#canStore) this.#onStoreFailed?.(error);
      this.#canStore = false;
      return false;
    }
  }

  async #readRows(range: IdRange): Promise<void> {
    const slices = new TimeSlices();
    while (this.columns.missingIn(range, 1).length > 0) {
      await this.#exclusively(() => this.#readMissing(range));
      await slices.pause();
    }
  }

  async #readMissing(range: IdRange): Promise<void> {
    const { columns } = this;
    this.#seq ??= await this.#source.settlements.lastSeq();
    const missing = columns.missingIn(range, this.#source.concurrency);
    if (missing.length === 0) return;
    const read = await Promise.all(missing.map((part) => this.#source.rows(part)));
    const rows = read.flat();
    if (rows.length === 0) throw new Error(`archive: there is no alert ${range.upto}`);
    const keys = rows.map(({ listing }) => listing);
    await this.listings.read(keys, this.#source);
    for (const row of rows) columns.append(row, this.listings.numberOf(row.listing));
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
