import type { AlertStore } from '../../core/alerts/alert-store.ts';
import { type TimeLimit, withTimeout } from '../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS } from '../../core/base/database-errors.ts';
import { LONG_CALL_MS } from '../../core/base/documents/documents.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { UserError } from '../../core/base/user-error.ts';
import { type Database, openFeatures } from '../../core/database.ts';
import { systemClock } from '../process/system-clock.ts';
import { noLogger } from '../telemetry/no-logger.ts';
import { withEachMethod } from './each-method.ts';
import { mongoFailure } from './mongo/open-failure.ts';
import type { OpenOptions } from './schema-version.ts';
import { sqliteFileError } from './sqlite/open-failure.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Opens the database that `DATABASE_URL` names: `sqlite:FILE` (`sqlite::memory:` keeps nothing) or `mongodb://…`,
 * `mongodb+srv://…`. An empty one gets this build's schema; one of another build is refused and not changed. Every call has a
 * time limit. Throws `DatabaseUnavailable` when it cannot be used now and may be later, a `UserError` when something must be
 * changed first. `logger` hears of index builds, and of an SQLite file that other users can read or that is lost.
 */
export async function openDatabase(
  url: string,
  options: OpenOptions = {},
): Promise<Database & AsyncDisposable> {
  try {
    const database = withTimeLimits(await openWithoutLimits(url, options), options.clock ?? systemClock);
    return { ...database, [Symbol.asyncDispose]: database.close };
  } catch (error) {
    throw databaseFailure(error, url);
  }
}

/**
 * What an operator is shown of an error of this database, also of a later call: a `UserError` where the settings or what they
 * name must be changed first, `DatabaseUnavailable` for what may pass. Both name the remedy. Other errors are returned unchanged.
 */
export function databaseFailure(error: unknown, url: string): unknown {
  const file = sqliteFile(url);
  return file === null ? mongoFailure(error, url) : sqliteFileError(error, file);
}

async function openWithoutLimits(
  url: string,
  { clock = systemClock, logger = noLogger, isStart = false }: OpenOptions,
): Promise<Database> {
  const file = sqliteFile(url);
  if (file !== null) return openSqlite({ path: file, clock, logger });
  if (isMongoUrl(url)) {
    // Its driver is a third of what there is to load at a start.
    const { openMongo } = await import('./mongo/open-mongo.ts');
    return openMongo({ uri: url, clock, logger, isStart });
  }
  // The rest of the URL may hold a password, so that only its beginning is repeated.
  const scheme = /^[a-z+]{1,20}:/i.exec(url)?.[0] ?? 'no scheme';
  throw new UserError(`DATABASE_URL: expected sqlite:FILE or mongodb://HOST/NAME, got ${scheme}`);
}

function isMongoUrl(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/./.test(url);
}

/** The file of a `sqlite:` URL; null when it is another. Throws a `UserError` for what names no file to SQLite. */
export function sqliteFile(url: string): string | null {
  const file = /^sqlite:(?:\/\/)?(.+)$/s.exec(url)?.[1] ?? null;
  // SQLite would read the first as a URI, so that its file is another than the one named here.
  if (file !== null && (file.startsWith('file:') || file.endsWith('/')))
    throw new UserError(
      `DATABASE_URL: expected sqlite:FILE with the path of a file (for example sqlite:./data/tipoff.db), got ${url}`,
    );
  return file;
}

/**
 * Calls whose work grows with the data, none of them made for a request but reads of the alert index, which `ReadTurns` limits. On
 * MongoDB the server still ends a read after 4 s, and the driver a command that gets no answer within 5 s.
 */
const LONG: readonly (keyof AlertStore)[] = [
  // All alerts of a market, 200 at a time.
  'resolveMarket',
  // What first fills the alert index.
  'visible',
  'search',
  'hotMarkets',
  'stats',
  'preview',
  'matching',
  'walletReport',
  'marketReport',
  'settledMarkets',
  'settlementsOf',
  'marketOfSlug',
  'marketsOfEvent',
  'marketsNamed',
  'walletsNamed',
];

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
    // Each of their calls of `documents` has a limit of its own.
    ...openFeatures(database.documents),
    alertIndex: database.alertIndex,
    readTime: readTime && (() => withTimeout(limitOf('readTime', clock), readTime())),
    ping: () => withTimeout(limitOf('ping', clock), database.ping()),
  };
}

function limited<Store extends object>(store: Store, name: string, clock: Clock): Store {
  return withEachMethod(store, (key, method) => {
    const limit = limitOf(`${name}.${key}`, clock);
    return (...args) => withTimeout(limit, method(...args));
  });
}

const LONG_CALLS: ReadonlySet<string> = new Set(LONG.map((name) => `alerts.${name}`));

function limitOf(call: string, clock: Clock): TimeLimit {
  return timeLimit(call, LONG_CALLS.has(call) ? LONG_CALL_MS : DATABASE_TIMEOUT_MS, clock);
}
