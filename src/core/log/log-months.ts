import type { EpochMs } from '../trade.ts';
import type { LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';

/** The entries of one UTC month up to a head. */
export interface MonthSpan {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Sequence numbers of its first and last entry. */
  readonly first: number;
  readonly last: number;
  /** Whether the month can get no more entries: there is an entry of a later month. */
  readonly isComplete: boolean;
}

/** The first and last entries of the months. Complete months are cached. */
export class LogMonths {
  readonly #log: Pick<LogStore, 'firstSince' | 'after'>;
  readonly #complete = new Map<string, MonthSpan>();

  constructor(log: Pick<LogStore, 'firstSince' | 'after'>) {
    this.#log = log;
  }

  /** Null if the month has no entry up to the head. */
  async span(month: string, { sequence }: Pick<LogHead, 'sequence'>): Promise<MonthSpan | null> {
    const known = this.#complete.get(month);
    if (known !== undefined && known.last < sequence) return known;
    const start = startOf(month);
    const [first, next] = await Promise.all([
      this.#log.firstSince(start),
      this.#log.firstSince(nextMonth(start)),
    ]);
    const last = Math.min((next ?? Number.POSITIVE_INFINITY) - 1, sequence);
    if (first === null || first > last) return null;
    const span = { month, first, last, isComplete: last < sequence };
    if (span.isComplete) this.#complete.set(month, span);
    return span;
  }

  /** Every month with entries up to the head, oldest first. */
  async all(head: Pick<LogHead, 'sequence'>): Promise<readonly MonthSpan[]> {
    const spans: MonthSpan[] = [];
    let last = 0;
    while (last < head.sequence) {
      const [entry] = await this.#log.after(last, { limit: 1 });
      const span = entry === undefined ? null : await this.span(monthOf(entry.at), head);
      if (span === null) throw new Error(`the log has no entry ${last + 1}`);
      spans.push(span);
      last = span.last;
    }
    return spans;
  }
}

function monthOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM'.length);
}

function startOf(month: string): EpochMs {
  return Date.parse(`${month}-01T00:00:00Z`);
}

function nextMonth(start: EpochMs): EpochMs {
  return new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1);
}
