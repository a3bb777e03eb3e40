import { withTimeout } from '../../base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../base/database-errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DAY_MS } from '../../base/time/duration.ts';
import type { UsageStore } from './api-key.ts';

interface UsageOptions {
  readonly usage: UsageStore;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  /** Called after each write, since a store may write without leaving the event loop. */
  readonly yieldToLoop: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

type Counts = Map<string, number>;

const READS_MAX = 3;
/** Keys in one write, so that a flush of many does not block the event loop. */
const SLICE_SIZE = 500;
/** One time limit for the write that a read waits for and for the reads. */
const timeoutError = () => new DatabaseTimeout(`calls of a key: no answer within ${DATABASE_TIMEOUT_MS} ms`);

/** Calls per key since UTC midnight (contract, `requests_today`). Memory: one number for each key and day not stored yet. */
export class Usage {
  readonly #options: UsageOptions;
  /** By UTC day, counted in days since 1970. */
  readonly #unstored = new Map<number, Counts>();
  #writes = 0;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  /** Counts one authenticated call, including refused ones and `/stats`. */
  count(keyId: string): void {
    this.#add(Math.floor(this.#options.clock.now() / DAY_MS), keyId, 1);
  }

  /** Calls since UTC midnight, stored or not. Throws if the store does not answer. */
  today(keyId: string): Promise<number> {
    const { clock } = this.#options;
    const day = Math.floor(clock.now() / DAY_MS);
    const limit = { clock, timeoutMs: DATABASE_TIMEOUT_MS, timeoutError };
    return withTimeout(limit, this.#readBetweenWrites(keyId, day));
  }

  /** Stores what was counted, every second and at the end. Never throws; keeps what was certainly not stored. */
  flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = null;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  #add(day: number, keyId: string, calls: number): void {
    const counts = this.#unstored.get(day) ?? new Map<string, number>();
    counts.set(keyId, (counts.get(keyId) ?? 0) + calls);
    this.#unstored.set(day, counts);
  }

  async #write(): Promise<void> {
    const { usage, isOutcomeUnknown, yieldToLoop, logger } = this.#options;
    const days = [...this.#unstored].flatMap(([day, counts]) =>
      sliced(counts).map((slice) => [day, slice] as const),
    );
    if (days.length === 0) return;
    this.#unstored.clear();
    this.#writes += 1;
    for (const [day, counts] of days) {
      try {
        await usage.add(dayName(day), counts);
      } catch (error) {
        // Adding is not idempotent, so what may have been stored is not stored again.
        const isRetained = !isOutcomeUnknown(error);
        for (const [keyId, calls] of isRetained ? counts : []) this.#add(day, keyId, calls);
        const message = isRetained
          ? 'retrying with the next flush'
          : 'outcome unknown, the count may be short';
        logger.warn({ err: error, day: dayName(day) }, `storing the calls of today failed; ${message}`);
      }
      await yieldToLoop();
    }
  }

  #unstoredOf(keyId: string, day: number): number {
    return this.#unstored.get(day)?.get(keyId) ?? 0;
  }

  async #readBetweenWrites(keyId: string, day: number): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#writing;
      const before = this.#writes;
      const stored = await this.#options.usage.get(keyId, dayName(day));
      // A write that began in the meantime may or may not be in what was read.
      if (before === this.#writes || attempt === READS_MAX) return stored + this.#unstoredOf(keyId, day);
    }
  }
}

function sliced(counts: Counts): Counts[] {
  const all = [...counts];
  const starts = Array.from({ length: Math.ceil(all.length / SLICE_SIZE) }, (_, index) => index * SLICE_SIZE);
  return starts.map((start) => new Map(all.slice(start, start + SLICE_SIZE)));
}

function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
