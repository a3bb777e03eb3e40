import { withTimeout } from '../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS } from '../../core/base/database-errors.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { UserError } from '../../core/base/user-error.ts';
import type { Database } from '../../core/database.ts';
import { systemClock } from '../process/system-clock.ts';
import { noLogger } from '../telemetry/no-logger.ts';
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

/** The database with a time limit on `ping` and `readTime`, as each call of `documents` has its own. `close` has another. */
export function withTimeLimits(database: Database, clock: Clock): Database {
  const { readTime } = database;
  const limit = (call: string) => timeLimit(call, DATABASE_TIMEOUT_MS, clock);
  return {
    ...database,
    readTime: readTime && (() => withTimeout(limit('readTime'), readTime())),
    ping: () => withTimeout(limit('ping'), database.ping()),
  };
}
