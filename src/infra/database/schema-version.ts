import type { Logger } from '../../core/base/logger.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { UserError } from '../../core/base/user-error.ts';

/** The version of what is in a database beside the kinds of documents, each of which has its own. */
export const SCHEMA_VERSION = 3;

export interface OpenOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Whether missing indexes are made, which only a start does. Default: no. */
  readonly isStart?: boolean;
}

/** What to do about a file that cannot be used. */
export const IF_UNUSABLE = 'Restore it from a backup, or name another file.';

/** The schema of a database is not this build's. Its message does not name the database: see `schemaFailure`. */
export class SchemaMismatch extends Error {
  readonly found: number | null;
  /** What was expected, and of which kind of document; that of the database when it is not of one kind. */
  readonly expected: string;

  /** `found`: null for a database that is none of this program. */
  constructor(found: number | null, of: { readonly kind: string; readonly expected: number } | null = null) {
    super(`schema version ${found} instead of ${of?.expected ?? SCHEMA_VERSION}`);
    this.found = found;
    this.expected = of === null ? `${SCHEMA_VERSION}` : `${of.expected} of ${of.kind}`;
  }
}

/** Throws unless the schema is the one of this build; 0 is that of an empty database. */
export function requireVersion(found: number): void {
  if (found !== SCHEMA_VERSION) throw new SchemaMismatch(found === 0 ? null : found);
}

/** What an operator is shown. `at` names the setting and the database. */
export function schemaFailure({ found, expected }: SchemaMismatch, at: string): UserError {
  if (found === null) return new UserError(`${at} is not a database of this program. ${IF_UNUSABLE}`);
  return new UserError(
    `${at} has schema version ${found} of another build, and this build has version ${expected}. Use the build that made it, or start with a new database.`,
  );
}
