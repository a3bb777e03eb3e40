import { type TimeLimit, withTimeout } from '../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../core/base/database-errors.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Database } from '../../core/database.ts';
import { withEachMethod } from './each-method.ts';

const LONG_TIMEOUT_MS = 60_000;

/**
 * Calls whose work grows with the data, none of them made for a request but reads of the archive, which `ArchiveScheduler` limits. On
 * MongoDB the server still ends a read after 4 s, and the driver a command that gets no answer within 5 s.
 */
const LONG = {
  /** All alerts of a market, 200 at a time; what first loads the columns or clusters of all alerts. */
  alerts: [
    ...(['resolveMarket', 'search', 'summaries', 'hotMarkets', 'preview', 'walletReport'] as const),
    ...(['marketOfSlug', 'marketsNamed', 'walletsNamed'] as const),
  ],
  /** Retention: all rows that became too old since the last run. */
  usage: ['prune'],
  idempotency: ['prune'],
  jobRuns: ['prune'],
  heartbeats: ['prune'],
  customers: ['pruneCodes'],
  questions: ['prune'],
  /** Sums over all people, for the operator. */
  followers: ['counts'],
  /** All keys, for `npm run keys`. */
  keys: ['list'],
  /** Sums and searches over whole tables, for the operator. */
  operatorReads: ['keysByTier', 'keysNamed', 'callsOn', 'webhookTotals'],
} as const satisfies Partial<Record<keyof Database, readonly string[]>>;

/**
 * The database with a time limit on every call of every store, and on `ping` and `readTime`. A call that is over it throws
 * `DatabaseTimeout`; the call itself continues, and its answer is dropped. `close` has its own limit.
 */
export function withTimeLimits(database: Database, clock: Clock): Database {
  const limit = <Store extends object>(store: Store, name: string) => limited(store, name, clock);
  const parts = Object.entries(database).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null ? limit(part, name) : part,
  ]);
  const { readTime } = database;
  return {
    ...(Object.fromEntries(parts) as Database),
    readTime: readTime && (() => withTimeout(limitOf('readTime', clock), readTime())),
    lease: (name) => limit(database.lease(name), 'lease'),
    ping: () => withTimeout(limitOf('ping', clock), database.ping()),
  };
}

function limited<Store extends object>(store: Store, name: string, clock: Clock): Store {
  return withEachMethod(store, (key, method) => {
    const limit = limitOf(`${name}.${key}`, clock);
    return (...args) => withTimeout(limit, method(...args));
  });
}

const LONG_CALLS: ReadonlySet<string> = new Set(
  Object.entries(LONG).flatMap(([store, names]) => names.map((name) => `${store}.${name}`)),
);

function limitOf(call: string, clock: Clock): TimeLimit {
  const timeoutMs = LONG_CALLS.has(call) ? LONG_TIMEOUT_MS : DATABASE_TIMEOUT_MS;
  const reason = `${call}: no answer from the database within ${timeoutMs} ms; a write may still be executed`;
  const timeoutError = () => new DatabaseTimeout(reason);
  return { clock, timeoutMs, timeoutError };
}
