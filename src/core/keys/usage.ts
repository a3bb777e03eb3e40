import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../database-timeout.ts';
import { DAY_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { UsageStore } from './key-store.ts';

/** Calls per key since UTC midnight (contract, `requests_today`). */
export interface Usage {
  /** Counts one authenticated call, refused ones and `/stats` included. */
  count(keyId: string): void;
  /** Calls of this UTC day: what is stored and what is not yet. Throws when the store does not answer. */
  today(keyId: string): Promise<number>;
  /**
   * Stores what was counted before this call. Never throws: what could not be stored is kept for the next time, unless
   * it may have been stored all the same. To be called every second, and once before the end.
   */
  flush(): Promise<void>;
}

/** What counting stands on. */
export interface UsageDeps {
  readonly usage: UsageStore;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

type Counts = Map<string, number>;

const READS = 3;
/** One limit for the write it waits for and its own reads. */
const timeoutError = () => new DatabaseTimeout(`calls of today: no answer within ${DATABASE_TIMEOUT_MS} ms`);

/** Memory: one number a key and day not stored yet. */
export function createUsage({ usage, isOutcomeUnknown, clock, logger }: UsageDeps): Usage {
  const dayOf = createDayNames();
  const unstored = new Map<string, Counts>();
  let writes = 0;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  function add(day: string, keyId: string, calls: number): void {
    const counts = unstored.get(day) ?? new Map<string, number>();
    counts.set(keyId, (counts.get(keyId) ?? 0) + calls);
    unstored.set(day, counts);
  }

  async function write(): Promise<void> {
    const days = [...unstored];
    if (days.length === 0) return;
    unstored.clear();
    writes += 1;
    for (const [day, counts] of days) {
      try {
        await usage.add(day, counts);
      } catch (error) {
        // Adding is not idempotent: what may have been stored is not stored again.
        const isRetained = !isOutcomeUnknown(error);
        for (const [keyId, calls] of isRetained ? counts : []) add(day, keyId, calls);
        const message = isRetained ? 'they are kept' : 'outcome unknown, their count may be short';
        logger.warn({ err: error, day }, `calls of today could not be stored; ${message}`);
      }
    }
  }

  async function read(keyId: string): Promise<number> {
    const day = dayOf(clock.now());
    for (let attempt = 1; ; attempt += 1) {
      await writing;
      const before = writes;
      const stored = await usage.get(keyId, day);
      // A write that began meanwhile may or may not be in what was read.
      if (before === writes || attempt === READS) return stored + (unstored.get(day)?.get(keyId) ?? 0);
    }
  }

  return {
    count: (keyId) => add(dayOf(clock.now()), keyId, 1),
    today: (keyId) => withTimeout({ clock, timeoutMs: DATABASE_TIMEOUT_MS, timeoutError }, read(keyId)),
    flush() {
      next ??= writing.then(() => {
        next = null;
        writing = write();
        return writing;
      });
      return next;
    },
  };
}

/** `YYYY-MM-DD` of a moment, UTC; written once a day, as it is asked with every request. */
function createDayNames(): (now: EpochMs) => string {
  let start = 0;
  let name = '1970-01-01';
  return (now) => {
    if (now < start || now >= start + DAY_MS) {
      start = Math.floor(now / DAY_MS) * DAY_MS;
      name = new Date(start).toISOString().slice(0, 10);
    }
    return name;
  };
}
