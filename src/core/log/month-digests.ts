import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { MonthSpan } from './log-months.ts';

/** Digests that are kept. */
const DIGESTS_MAX = 500;

/** An unfinished SHA-256. */
export interface RunningHash {
  update(text: string): unknown;
  copy(): RunningHash;
  digest(encoding: 'hex'): string;
}

/** The text of a span, in pieces. */
type ReadText = (span: Pick<MonthSpan, 'first' | 'last'>) => AsyncIterable<string>;

/** Digests of the files of months. A month that grows is hashed on from where it ended when it was asked for last. */
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
