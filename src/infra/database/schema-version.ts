import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { UserError } from '../../core/base/user-error.ts';

/** The schema of release 1.0.0. A change since then is a step that leads further. */
export const FIRST_VERSION = 26;

/** The version of a database that a transfer fills, until it has all rows. No build opens it as its own. */
export const UNFINISHED_TRANSFER = 1_000_000;

export interface OpenOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Whether the schema of an earlier step is brought forward and missing indexes are made, which only a start does. Default: no. */
  readonly migrates?: boolean;
}

export interface DatabaseUse {
  readonly setting: string;
  /** What to do about a file that cannot be used. */
  readonly ifUnusable: string;
}

/** The service, and the commands that work on its database. */
export const OF_SERVICE: DatabaseUse = {
  setting: 'DATABASE_URL',
  ifUnusable: 'Restore it from a backup, or name another file.',
};

/** The schema of a database is not this build's. Its message does not name the database: see `schemaFailure`. */
export class SchemaMismatch extends Error {
  readonly found: number | null;
  readonly known: number;

  /** `found`: null for a database that is none of this program. */
  constructor(found: number | null, known: number) {
    super(`schema version ${found} instead of ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** Throws unless the schema is the one of this build; 0 is that of an empty database. */
export function requireVersion(found: number, known: number): void {
  if (found !== known) throw new SchemaMismatch(found === 0 ? null : found, known);
}

/** Throws unless the database is empty, or has the schema of this build or, with `migrates`, of an earlier step. */
export function requireOpenable(found: number, known: number, migrates: boolean): void {
  const isOlder = migrates && found >= FIRST_VERSION && found < known;
  if (found !== 0 && !isOlder) requireVersion(found, known);
}

/** What an operator is shown. `at` names the setting and the database. */
export function schemaFailure({ found, known }: SchemaMismatch, at: string, use: DatabaseUse): UserError {
  if (found === null) return new UserError(`${at} is not a database of this program. ${use.ifUnusable}`);
  if (found === UNFINISHED_TRANSFER)
    return new UserError(
      `${at} is the target of an unfinished move or restore. Repeat that command, which continues it, or remove the database.`,
    );
  return new UserError(
    `${at} has schema version ${found} of another build, and this build has version ${known}. Use the build that made it, or start with a new database.`,
  );
}
