import type { Connection } from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '../../core/limits/rate-limiter.ts';
import { standing, WINDOW_SECONDS } from '../memory-rate-limiter.ts';
import type { ModelIndex } from './create-model.ts';

/** A subject's window, as the library writes it. */
export interface RateWindowDocument {
  readonly key: string;
  readonly points: number;
  readonly expire: Date;
}

export const RATE_WINDOWS = 'rate_windows';

/** Swept late, so that the window of a process whose clock is behind the database's is not swept while it is open. */
const SWEPT_AFTER_SECONDS = 3_600;

export const RATE_WINDOW_INDEXES: readonly ModelIndex[] = [
  [{ key: 1 }, { unique: true }],
  [{ expire: 1 }, { expireAfterSeconds: SWEPT_AFTER_SECONDS }],
];

/**
 * Counts for every process on this database. A subject over its limit costs no call to the database until its window
 * ends. Throws when the database does not answer, after the driver's own timeout.
 */
export function createMongoRateLimiter(connection: Connection): RateLimiter {
  // What a crash of the database may lose here is a minute's count: no call waits for other members or for the disk.
  const db = connection.getClient().db(connection.name, { writeConcern: { w: 1, journal: false } });
  /** One limiter per limit, because the library fixes the limit at construction. All share the same counts. */
  const limiters = new Map<number, RateLimiterMongo>();

  function limiterOf(limit: number): RateLimiterMongo {
    const known = limiters.get(limit);
    if (known !== undefined) return known;
    const limiter = new RateLimiterMongo({
      storeClient: db,
      tableName: RATE_WINDOWS,
      disableIndexesCreation: true,
      keyPrefix: '',
      points: limit,
      duration: WINDOW_SECONDS,
      inMemoryBlockOnConsumed: limit,
    });
    limiters.set(limit, limiter);
    return limiter;
  }

  return {
    async consume(subject, limit) {
      try {
        return { isAllowed: true, ...standing(await limiterOf(limit).consume(subject), limit) };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { isAllowed: false, limit, remaining: 0, resetMs: refusal.msBeforeNext };
      }
    },
    async read(subject, limit) {
      const stood = standing(await limiterOf(limit).get(subject), limit);
      return { isAllowed: stood.remaining > 0, ...stood };
    },
  };
}
