import type { JournalStore } from '../../../src/core/ingest/journal-store.ts';

const READ_LIMIT = 200;
const HASH = /"transactionHash":"0x([0-9a-f]+)"/;
const IS_TRADE = /"side":/;

/** How often each trade of a generated tape, whose transactions are its numbers, was delivered. */
export class TakenTrades {
  readonly #journal: Pick<JournalStore, 'from'>;
  readonly #times: Uint8Array;
  #position = 1;

  constructor(journal: Pick<JournalStore, 'from'>, count: number) {
    this.#journal = journal;
    this.#times = new Uint8Array(count);
  }

  get rows(): number {
    return this.#position - 1;
  }

  /** Reads what is new. */
  async read(): Promise<void> {
    for (;;) {
      const batches = await this.#journal.from(this.#position, READ_LIMIT);
      for (const { first, lines } of batches) {
        for (const line of lines.slice(Math.max(0, this.#position - first))) this.#take(line);
        this.#position = first + lines.length;
      }
      if (batches.length < READ_LIMIT) return;
    }
  }

  /** Of the trades that fit. */
  tally(fits: (index: number) => boolean = () => true) {
    const tally = { once: 0, missing: 0, twice: 0 };
    for (const [index, taken] of this.#times.entries()) {
      if (!fits(index)) continue;
      if (taken === 1) tally.once += 1;
      else if (taken === 0) tally.missing += 1;
      else tally.twice += 1;
    }
    return tally;
  }

  /** The numbers of those that fit and were not delivered, at most so many. */
  missing(limit: number, fits: (index: number) => boolean = () => true): readonly number[] {
    const found: number[] = [];
    for (let index = 0; index < this.#times.length && found.length < limit; index++)
      if (this.#times[index] === 0 && fits(index)) found.push(index);
    return found;
  }

  #take(line: string): void {
    const [, hash = ''] = HASH.exec(line) ?? [];
    const index = Number.parseInt(hash, 16);
    if (IS_TRADE.test(line)) this.#times[index] = (this.#times[index] ?? 0) + 1;
  }
}
