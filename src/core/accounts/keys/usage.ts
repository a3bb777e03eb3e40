import { z } from 'zod';
import { withTimeout } from '../../base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../base/database-errors.ts';
import {
  type Declaration,
  type Documents,
  LONG_CALL_MS,
  type OpenDocuments,
} from '../../base/documents/documents.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';

const schema = z.strictObject({
  /** Day and key. */
  id: z.string(),
  day: z.string(),
  calls: z.int(),
});

const USAGE: Declaration<z.infer<typeof schema>> = {
  kind: 'usage',
  schema,
  indexes: { usage_by_day: { fields: ['day'] } },
};

/** Counts of one write: it holds the event loop for a few milliseconds. */
const BATCH = 200;

/** Calls per key and UTC day (`YYYY-MM-DD`). Counts of several processes add up. */
export class UsageCounts {
  readonly #documents: Documents<z.infer<typeof schema>>;
  /** Ids of the last day that are stored. */
  readonly #known = new Set<string>();
  #day = '';

  constructor(open: OpenDocuments) {
    this.#documents = open(USAGE, { isQuick: true });
  }

  async add(day: string, counts: ReadonlyMap<string, number>): Promise<void> {
    if (day !== this.#day) this.#known.clear();
    this.#day = day;
    const calls = Array.from(counts, ([keyId, amount]) => ({ id: idOf(keyId, day), amount }));
    for (let start = 0; start < calls.length; start += BATCH) {
      const batch = calls.slice(start, start + BATCH);
      const added = batch.filter(({ id }) => !this.#known.has(id));
      await this.#documents.insertMissing(added.map(({ id }) => ({ id, day, calls: 0 })));
      for (const { id } of added) this.#known.add(id);
      const updates = batch.map(({ id, amount }) => ({ where: { id }, change: { inc: { calls: amount } } }));
      await this.#documents.updateEach(updates);
    }
  }

  async get(keyId: string, day: string): Promise<number> {
    return (await this.#documents.get(idOf(keyId, day)))?.calls ?? 0;
  }

  /** The calls of all keys. */
  async callsOn(day: string): Promise<number> {
    const found = await this.#documents.find({ where: { day } }, { timeoutMs: LONG_CALL_MS });
    return found.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Deletes the days before this one. Returns the number of deleted counts. */
  prune(beforeDay: string): Promise<number> {
    return this.#documents.delete({ day: { lt: beforeDay } }, { timeoutMs: LONG_CALL_MS });
  }
}

function idOf(keyId: string, day: string): string {
  return `${day} ${keyId}`;
}

interface UsageOptions {
  readonly usage: Pick<UsageCounts, 'add' | 'get'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** One time limit for the write that a read waits for and for the read. */
const timeoutError = () => new DatabaseTimeout(`calls of a key: no answer within ${DATABASE_TIMEOUT_MS} ms`);

/** Calls per key since UTC midnight (contract, `requests_today`). Memory: one number for each key and day not stored yet. */
export class Usage {
  readonly #options: UsageOptions;
  /** Calls by key, by UTC day. */
  readonly #unstored = new Map<string, Map<string, number>>();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  /** Counts one authenticated call, including refused ones and `/stats`. */
  count(keyId: string): void {
    const day = this.#today();
    const counts = this.#unstored.get(day) ?? new Map<string, number>();
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    this.#unstored.set(day, counts);
  }

  /** Calls since UTC midnight. Throws if the store does not answer. */
  today(keyId: string): Promise<number> {
    const limit = { clock: this.#options.clock, timeoutMs: DATABASE_TIMEOUT_MS, timeoutError };
    return withTimeout(limit, this.#readAfterWrite(keyId, this.#today()));
  }

  /** Stores what was counted: every second, before it is read, and at the end. Never throws; what could not be stored is lost. */
  flush(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = null;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  async #readAfterWrite(keyId: string, day: string): Promise<number> {
    await this.flush();
    const stored = await this.#options.usage.get(keyId, day);
    return stored + (this.#unstored.get(day)?.get(keyId) ?? 0);
  }

  async #write(): Promise<void> {
    const { usage, logger } = this.#options;
    const days = [...this.#unstored];
    this.#unstored.clear();
    for (const [day, counts] of days) {
      try {
        await usage.add(day, counts);
      } catch (err) {
        // Adding is not idempotent: what failed may have been stored, and is not stored again.
        logger.warn({ err, day }, 'storing the calls of today failed; the count may be short');
      }
    }
  }

  #today(): string {
    return new Date(this.#options.clock.now()).toISOString().slice(0, 10);
  }
}
