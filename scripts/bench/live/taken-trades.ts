import type { Database } from '../../../src/core/database/database.ts';

const READ_AT_ONCE = 200;
const HASH = /"transactionHash":"0x([0-9a-f]+)"/;
const IS_TRADE = /"side":/;

/** How often each trade of a generated tape, whose transactions are its numbers, was delivered. */
export interface TakenTrades {
  /** Reads what is new. */
  read(): Promise<void>;
  readonly rows: number;
  /** Of the trades that fit; of all unless given. */
  tally(fits?: (index: number) => boolean): Tally;
  /** The numbers of those that fit and were not delivered, at most so many. */
  missing(limit: number, fits: (index: number) => boolean): readonly number[];
}

export interface Tally {
  readonly once: number;
  readonly missing: number;
  readonly twice: number;
}

export function createTakenTrades(database: Database, count: number): TakenTrades {
  const { journal } = database;
  const times = new Uint8Array(count);
  let position = 1;

  function take(line: string): void {
    const [, hash = ''] = HASH.exec(line) ?? [];
    const index = Number.parseInt(hash, 16);
    if (IS_TRADE.test(line)) times[index] = (times[index] ?? 0) + 1;
  }

  return {
    async read() {
      for (;;) {
        const batches = await journal.from(position, READ_AT_ONCE);
        for (const { first, lines } of batches) {
          for (const line of lines.slice(Math.max(0, position - first))) take(line);
          position = first + lines.length;
        }
        if (batches.length < READ_AT_ONCE) return;
      }
    },
    get rows() {
      return position - 1;
    },
    tally(fits = () => true) {
      const tally = { once: 0, missing: 0, twice: 0 };
      for (const [index, taken] of times.entries()) {
        if (!fits(index)) continue;
        if (taken === 1) tally.once += 1;
        else if (taken === 0) tally.missing += 1;
        else tally.twice += 1;
      }
      return tally;
    },
    missing(limit, fits) {
      const found: number[] = [];
      for (let index = 0; index < count && found.length < limit; index++)
        if (times[index] === 0 && fits(index)) found.push(index);
      return found;
    },
  };
}
