import type { Database } from '../../../src/core/ports/database.ts';

const READ_AT_ONCE = 200;
const HASH = /"transactionHash":"0x([0-9a-f]+)"/;
const IS_TRADE = /"side":/;

/** How often each trade of a generated tape, whose transactions are its numbers, was handed over. */
export interface TakenTrades {
  /** Reads what is new. */
  read(): Promise<void>;
  readonly rows: number;
  tally(): { readonly once: number; readonly missing: number; readonly twice: number };
  /** The numbers of those that were not handed over, at most so many. */
  missing(limit: number): readonly number[];
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
    tally() {
      const so = (fits: (taken: number) => boolean) => times.filter(fits).length;
      return { once: so((n) => n === 1), missing: so((n) => n === 0), twice: so((n) => n > 1) };
    },
    missing(limit) {
      const found: number[] = [];
      for (let index = 0; index < count && found.length < limit; index++)
        if (times[index] === 0) found.push(index);
      return found;
    },
  };
}
