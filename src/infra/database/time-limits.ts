import { type TimeLimit, withTimeout } from '../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS, DatabaseTimeout } from '../../core/base/database-errors.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Database } from '../../core/database.ts';
import { withEachMethod } from './each-method.ts';

type StoreName = {
  [Name in keyof Database]: NonNullable<Database[Name]> extends string | ((...args: never[]) => unknown)
    ? never
    : Name;
}[keyof Database];
type Methods = { readonly [Name in StoreName]?: readonly (keyof NonNullable<Database[Name]>)[] };

/**
 * Calls that read. Every other call is treated as a write, whose outcome is unknown after a timeout.
 */
const READS = {
  alerts: [
    'last',
    'byId',
    'thread',
    'ofMarket',
    'after',
    'latest',
    'search',
    'hotMarkets',
    'stats',
    'preview',
    'walletReport',
    'marketReport',
    'marketOfSlug',
    'unresolvedMarkets',
  ],
  settlements: ['get', 'after', 'lastSeq', 'totals'],
  ingest: ['readSnapshot', 'readChunks'],
  journal: ['from', 'bounds'],
  keys: ['byLookup', 'byId', 'byIds', 'byCustomer', 'idsOf', 'byRequest', 'list', 'endedTrials', 'changes'],
  usage: ['get', 'history'],
  sharedLimiter: ['read'],
  customers: [
    'handle',
    'handlesOf',
    'handlesByName',
    'get',
    'mergedInto',
    'unfinished',
    'page',
    'count',
    'code',
    'hasPastTrial',
  ],
  presets: ['listByKey', 'get'],
  walletAges: ['get'],
  webhooks: ['listByKey', 'active', 'byIds', 'changes'],
  deliveries: ['byIds', 'waiting', 'requested', 'claims', 'list', 'cursor'],
  audit: ['list'],
  operatorAlarms: ['list'],
  operatorReads: ['keysByTier', 'keysNamed', 'callsOn', 'webhookTotals'],
  operatorRequests: ['get', 'waiting'],
  pauses: ['list'],
  jobRuns: ['latest'],
  heartbeats: ['list'],
  chat: [
    'byId',
    'due',
    'claims',
    'countPosts',
    'unknown',
    'givenUp',
    'editsOf',
    'countThreadsAbove',
    'undecided',
    'folded',
    'postsOf',
    'postsOfThread',
    'postsOfMarket',
    'counts',
    'cursor',
  ],
  keyMessages: ['ofRequest', 'next', 'inChats'],
  questions: ['get'],
  secrets: ['get'],
  coverage: ['windows', 'unsettled', 'readPosition'],
  log: ['last', 'headAt', 'after', 'firstSince', 'sequencesOf', 'some', 'lastAbout', 'lastOf'],
  observations: ['market', 'markets', 'open', 'hours'],
  records: ['get', 'at'],
  statements: ['after', 'ofWallet', 'hiddenWallets'],
} as const satisfies Methods;

const LONG_TIMEOUT_MS = 60_000;

/**
 * Calls whose work grows with the data, none of them made for a request. On MongoDB the server still ends a read after
 * 4 s, and the driver a command that gets no answer within 5 s.
 */
const LONG = {
  /** All alerts of a market, 200 at a time. */
  alerts: ['resolveMarket'],
  /** Retention: all rows that became too old since the last run. */
  usage: ['prune'],
  idempotency: ['prune'],
  jobRuns: ['prune'],
  heartbeats: ['prune'],
  customers: ['pruneCodes'],
  questions: ['prune'],
  /** All keys, for `npm run keys`. */
  keys: ['list'],
  /** Sums and searches over whole tables, for the operator. */
  operatorReads: ['keysByTier', 'keysNamed', 'callsOn', 'webhookTotals'],
} as const satisfies Methods;

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

/** `store` with a time limit on every method. */
function limited<Store extends object>(store: Store, name: string, clock: Clock): Store {
  return withEachMethod(store, (key, method) => {
    const limit = limitOf(`${name}.${key}`, clock);
    return (...args) => withTimeout(limit, method(...args));
  });
}

const READ_CALLS = callsOf(READS);
const LONG_CALLS = callsOf(LONG);

function callsOf(methods: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> {
  return new Set(
    Object.entries(methods).flatMap(([store, names]) => names.map((name) => `${store}.${name}`)),
  );
}

function limitOf(call: string, clock: Clock): TimeLimit {
  const timeoutMs = LONG_CALLS.has(call) ? LONG_TIMEOUT_MS : DATABASE_TIMEOUT_MS;
  const isRead = READ_CALLS.has(call) || call === 'ping' || call === 'readTime';
  const consequence = isRead ? '' : '; outcome unknown';
  const timeoutError = () =>
    new DatabaseTimeout(`${call}: no answer from the database within ${timeoutMs} ms${consequence}`);
  return { clock, timeoutMs, timeoutError };
}
