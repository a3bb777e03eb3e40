import type { Database } from '../../../src/core/database.ts';
import type { JournalStore } from '../../../src/core/ingest/ingest-stores.ts';
import type { TapeTrade } from './market-tape.ts';

const READ_AT_ONCE = 1_000;

export function fillKeyOf({ transactionHash, asset, proxyWallet, side, size }: TapeTrade): string {
  return [transactionHash, asset, proxyWallet, side, size].join(' ');
}

/** Counts the trades that a service passed on, each by the identity of its fill. */
export interface JournalTally {
  /** Reads what is new; the number of distinct trades so far. */
  read(): Promise<number>;
  readonly counts: ReadonlyMap<string, number>;
}

export function createJournalTally(database: Database): JournalTally {
  const { journal } = database as Database & { readonly journal: JournalStore };
  const counts = new Map<string, number>();
  let position = 1;
  return {
    counts,
    async read() {
      const batches = await journal.from(position, READ_AT_ONCE);
      for (const { first, lines } of batches) {
        for (const line of lines.slice(Math.max(0, position - first))) take(counts, line);
        position = first + lines.length;
      }
      return counts.size;
    },
  };
}

function take(counts: Map<string, number>, line: string): void {
  const row = JSON.parse(line) as Partial<TapeTrade>;
  if (row.side === undefined) return;
  const key = fillKeyOf(row as TapeTrade);
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
