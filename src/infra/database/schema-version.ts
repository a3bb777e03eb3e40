import { UserError } from '../../core/user-error.ts';

/** The version of a database that a transfer fills, until it has all rows. No build opens it as its own. */
export const UNFINISHED_TRANSFER = 1_000_000;

/** The error for a database that a newer build has migrated, or that is not filled yet. */
export function newerSchemaError(found: number, known: number): UserError {
  if (found === UNFINISHED_TRANSFER)
    return new UserError(
      'The database is the target of an unfinished move or restore. Repeat that command, which continues it, or remove the database.',
    );
  return new UserError(
    `The database has schema version ${found}, and this build knows versions up to ${known}. ` +
      'Start the newer build that wrote it, or point DATABASE_URL at another database.',
  );
}

/** Throws a `UserError` unless the rows of a database are those of this build. */
export function checkTransferable(found: number, known: number): void {
  if (found > known) throw newerSchemaError(found, known);
  if (found < known)
    throw new UserError(
      `The source has schema version ${found}, and this build has version ${known}. Start the service once on the source, which brings it forward.`,
    );
}
