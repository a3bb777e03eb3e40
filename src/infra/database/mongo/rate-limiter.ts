import type { Connection, mongo } from 'mongoose';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitVerdict, RateLimiter } from '../../../core/accounts/limits/rate-limiter.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/base/time/duration.ts';

export const RATE_WINDOWS = 'rate_windows';

/** Swept late, so that the window of a process whose clock is behind the database's is not swept while it is open. */
const SWEPT_AFTER_SECONDS = 3_600;

export const RATE_WINDOW_INDEXES: (mongo.IndexDescription & { readonly name: string })[] = [
  { name: 'key', key: { key: 1 }, unique: true },
  { name: 'expire', key: { expire: 1 }, expireAfterSeconds: SWEPT_AFTER_SECONDS },
];

/** Counts for all processes; a subject over its limit costs no call. Throws when the database is away. */
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
      duration: MINUTE_MS / SECOND_MS,
      inMemoryBlockOnConsumed: limit,
    });
    limiters.set(limit, limiter);
    return limiter;
  }

  return {
    async consume(subject, limit) {
      const { isAllowed, window } = await consume(limiterOf(limit), subject);
      // A refusal that cost no call says nothing of the calls before.
      return isAllowed
        ? { isAllowed, ...standing(window, limit) }
        : { isAllowed, limit, remaining: 0, resetMs: window.msBeforeNext };
    },
    async read(subject, limit) {
      const window = await limiterOf(limit).get(subject);
      if (window === null) return { isAllowed: true, limit, remaining: limit, resetMs: 0 };
      return { isAllowed: window.consumedPoints < limit, ...standing(window, limit) };
    },
  };
}

function standing(
  { consumedPoints, msBeforeNext }: RateLimiterRes,
  limit: number,
): Omit<LimitVerdict, 'isAllowed'> {
  return { limit, remaining: Math.max(0, limit - consumedPoints), resetMs: msBeforeNext };
}

/** The library throws its refusals. */
async function consume(limiter: RateLimiterMongo, subject: string) {
  try {
    return { isAllowed: true, window: await limiter.consume(subject) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { isAllowed: false, window: refusal };
    throw refusal;
  }
}
