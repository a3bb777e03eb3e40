import { UserError } from '../../core/user-error.ts';

/** The error for a database that a newer build has migrated. */
export function newerSchemaError(found: number, known: number): UserError {
  return new UserError(
    `The database has schema version ${found}, and this build knows versions up to ${known}. ` +
      'Start the newer build that wrote it, or point DATABASE_URL at another database.',
  );
}
