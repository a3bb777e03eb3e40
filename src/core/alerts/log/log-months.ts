import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { EpochMs } from '../../base/time/duration.ts';
import type { LogEntry, LogHead } from './log-entry.ts';
import type { LogStore } from './log-store.ts';
import { entryLine } from './seal.ts';

/** The entries of one UTC month up to a head. */
export interface MonthSpan {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Sequence numbers of its first and last entry. */
  readonly first: number;
  readonly last: number;
  /** Whether the month can get no more entries, since there is an entry of a later month. */
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

const DIGESTS_MAX = 500;

interface RunningHash {
  update(text: string): unknown;
  copy(): RunningHash;
  digest(encoding: 'hex'): string;
}

type ReadText = (span: Pick<MonthSpan, 'first' | 'last'>) => AsyncIterable<string>;

/** Digests of the files of months. A growing month is hashed incrementally, from where the last request ended. */
export class MonthDigests {
  readonly #newHash: () => RunningHash;
  readonly #known = new LRUCache<string, string>({ max: DIGESTS_MAX });
  /** By month: the hash up to the highest sequence number asked for. */
  readonly #running = new Map<string, { readonly through: number; readonly hash: RunningHash }>();
  readonly #oneAtATime = pLimit(1);

  constructor(newHash: () => RunningHash) {
    this.#newHash = newHash;
  }

  /** The digest of a file that was computed before, hexadecimal. */
  known({ month, last }: Pick<MonthSpan, 'month' | 'last'>): string | null {
    return this.#known.get(`${month} ${last}`) ?? null;
  }

  /** SHA-256 of the file, hexadecimal. Reads one file at a time, for all callers; rejects as the read does. */
  async of(span: MonthSpan, read: ReadText): Promise<string> {
    return (
      this.known(span) ?? this.#oneAtATime(async () => this.known(span) ?? (await this.#compute(span, read)))
    );
  }

  async #compute({ month, first, last }: MonthSpan, read: ReadText): Promise<string> {
    const earlier = this.#running.get(month) ?? { through: first - 1, hash: this.#newHash() };
    const isAhead = earlier.through > last;
    const hash = isAhead ? this.#newHash() : earlier.hash.copy();
    const from = isAhead ? first : earlier.through + 1;
    for await (const text of read({ first: from, last })) hash.update(text);
    if (!isAhead) this.#running.set(month, { through: last, hash });
    const digest = hash.copy().digest('hex');
    this.#known.set(`${month} ${last}`, digest);
    return digest;
  }
}

/** Entries of one read: about 150 KB, and some milliseconds of the event loop. */
const PAGE = 100;

/** Reads at most `limit` entries after a sequence number, ascending. */
type ReadEntries = (sequence: number, limit: number) => Promise<readonly LogEntry[]>;

/** The lines of the entries from `first` to `last`, each ended by a line feed, a page at a time. The next page is read when it is asked for. */
export async function* logPages(
  read: ReadEntries,
  { first, last }: Pick<MonthSpan, 'first' | 'last'>,
): AsyncGenerator<string, void> {
  let next = first;
  while (next <= last) {
    const entries = await read(next - 1, Math.min(PAGE, last - next + 1));
    if (entries[0]?.sequence !== next) throw new Error(`the log has no entry ${next}`);
    yield entries.map((entry) => `${entryLine(entry)}\n`).join('');
    next += entries.length;
  }
}
