import type { Database } from '../core/ports/database.ts';
import type { Logger } from '../core/ports/logger.ts';
import { UserError } from '../core/user-error.ts';
import { openMongo } from './mongo/open-mongo.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/**
 * Opens the database that `DATABASE_URL` names, migrated to this build's schema: `sqlite:FILE` (`sqlite::memory:`
 * keeps nothing) or `mongodb://…`, `mongodb+srv://…`. Throws when it cannot be reached or is of a newer build.
 * `logger` hears of a file that other users can read.
 */
export async function openDatabase(url: string, logger?: Logger): Promise<Database> {
  const file = sqliteFile(url);
  if (file !== null) return openSqlite({ path: file, logger });
  if (/^mongodb(?:\+srv)?:\/\/./.test(url)) return openMongo({ uri: url });
  // The rest of the URL may hold a password, so that only its beginning is repeated.
  const scheme = /^[a-z+]{1,20}:/i.exec(url)?.[0] ?? 'no scheme';
  throw new UserError(`DATABASE_URL: expected sqlite:FILE or mongodb://HOST/NAME, got ${scheme}`);
}

/** The file of a `sqlite:` URL; null when it is another. */
export function sqliteFile(url: string): string | null {
  return /^sqlite:(?:\/\/)?(.+)$/s.exec(url)?.[1] ?? null;
}
