import { UserError } from '../../core/user-error.ts';

/** Says why a database that a newer build has migrated is not opened. */
export function newerSchemaError(found: number, known: number): UserError {
  return new UserError(
    `The database has schema version ${found}, and this build knows versions up to ${known}. ` +
      'Start the newer build that wrote it, or point DATABASE_URL at another database.',
  );
}
