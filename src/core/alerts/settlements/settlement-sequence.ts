import pLimit from 'p-limit';
import type { LogKind } from '../log/log-entry.ts';
import type { LogStore } from '../log/log-store.ts';

/** Entries of one read. */
const PAGE = 2_000;
const FIRST_CAPACITY = 1_024;

/** The kinds of entries that a settled market makes. */
export const SETTLEMENT_KINDS = ['outcome', 'correction'] as const satisfies readonly LogKind[];
/** An outcome, or a correction that replaces one. */
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

/** Whether an entry of this kind is a settlement. */
export function isSettlementKind(kind: LogKind): kind is SettlementKind {
  return SETTLEMENT_KINDS.some((each) => each === kind);
}

/**
 * The numbers of settlements: number n is the n-th outcome or correction in the log. The log is dense and only grows, so that the
 * numbers are dense and never change, in each process and after any crash. Four bytes are kept for each.
 */
export class SettlementSequence {
  readonly #log: Pick<LogStore, 'last' | 'kinds' | 'sequencesOf'>;
  /** Sequence numbers in the log, ascending; `#count` of them. */
  #sequences = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  /** The last entry of the log that was looked at; null before the first `refresh`. */
  #seen: number | null = null;
  readonly #oneAtATime = pLimit(1);

  constructor(log: Pick<LogStore, 'last' | 'kinds' | 'sequencesOf'>) {
    this.#log = log;
  }

  /** The largest number of the last `refresh`; 0 when there is none. */
  get last(): number {
    return this.#count;
  }

  /** Reads what the log has got since the last call: one index seek when that is nothing. Throws what the store throws. */
  refresh(): Promise<void> {
    return this.#oneAtATime(() => this.#read());
  }

  /** The largest number whose entry is at or before a sequence number of the log. */
  upTo(sequence: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sequences[middle] as number) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The sequence numbers in the log of the settlements from one number to another, both included. */
  sequences(first: number, last: number): readonly number[] {
    return [...this.#sequences.subarray(Math.max(0, first - 1), Math.min(last, this.#count))];
  }

  async #read(): Promise<void> {
    let seen = this.#seen ?? (await this.#readFromIndex());
    this.#seen = seen;
    for (;;) {
      const page = await this.#log.kinds(seen, PAGE);
      for (const { sequence, kind } of page) {
        if (sequence !== seen + 1) throw new Error(`the log has no entry ${seen + 1}`);
        seen = sequence;
        if (isSettlementKind(kind)) this.#push([sequence]);
      }
      this.#seen = seen;
      if (page.length < PAGE) return;
    }
  }

  /** Reads the settlements up to the newest entry without the entries between them. Returns that entry's number. */
  async #readFromIndex(): Promise<number> {
    const upto = (await this.#log.last())?.sequence ?? 0;
    const found: number[] = [];
    for (const kind of SETTLEMENT_KINDS) {
      for (let after = 0; ; ) {
        const page = await this.#log.sequencesOf(kind, { after, upto, limit: PAGE });
        found.push(...page);
        if (page.length < PAGE) break;
        after = page.at(-1) ?? after;
      }
    }
    this.#push(found.toSorted((a, b) => a - b));
    return upto;
  }

  #push(sequences: readonly number[]): void {
    const count = this.#count + sequences.length;
    if (count > this.#sequences.length) {
      const larger = new Uint32Array(Math.max(count, this.#sequences.length * 2));
      larger.set(this.#sequences);
      this.#sequences = larger;
    }
    this.#sequences.set(sequences, this.#count);
    this.#count = count;
  }
}
