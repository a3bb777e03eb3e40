import { DatabaseUnavailable } from '../../../core/base/database-errors.ts';
import { UserError } from '../../../core/base/user-error.ts';
import { isOutage } from '../outage.ts';
import { SchemaMismatch, schemaFailure } from '../schema-version.ts';

/** https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml; 8000 is Atlas's. */
const REFUSES_USER = new Set<unknown>([11, 13, 18, 33, 8000]);
const OUT_OF_DISK_SPACE = 14_031;
/** A server that is reached and does not suit the TLS options of the URI: to wait does not help. */
const TLS = /certificate|\b(?:ssl|tls)\b/i;

/** An error of MongoDB as an operator is shown it: setting, server and remedy, without credentials. */
export function mongoFailure(error: unknown, uri: string): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const at = `DATABASE_URL: MongoDB at ${shownServer(uri)}`;
  if (error instanceof SchemaMismatch) return schemaFailure(error, `${at}, database ${databaseName(uri)},`);
  // The server repeats the whole command.
  const reason = withoutCredentials(error.message, uri).replace(/ to execute command \{.*/s, '');
  if (error.name.startsWith('Mongo') && 'code' in error && REFUSES_USER.has(error.code))
    return new UserError(
      `${at} refuses the user (${reason}). Check name, password and authSource in the URL, and that the user may read and ` +
        `write the database ${databaseName(uri)}.`,
    );
  if ('code' in error && error.code === OUT_OF_DISK_SPACE)
    return new DatabaseUnavailable(`${at} cannot write: its disk is full. Free space on that machine.`);
  if (!isOutage(error) || error instanceof DatabaseUnavailable) return error;
  if (TLS.test(reason))
    return new UserError(`${at} cannot be used (${reason}). Check the TLS options in the URL.`);
  return new DatabaseUnavailable(`${at} does not answer (${reason}). Start it, or correct the URL.`);
}

/** The server as it may be shown: what stands before the last `@` could be a password, escaped or not. */
export function shownServer(uri: string): string {
  const rest = uri.replace(/^mongodb(\+srv)?:\/\//, '');
  return rest.slice(rest.lastIndexOf('@') + 1).replace(/[/?].*$/s, '');
}

/** Takes the credentials of the URI out of a text, however the text quotes them. */
export function withoutCredentials(text: string, uri: string): string {
  const end = uri.lastIndexOf('@');
  if (end < 0) return text;
  const credentials = uri.slice(uri.indexOf('//') + 2, end);
  const password = credentials.slice(credentials.indexOf(':') + 1);
  const secrets = [credentials, password, decoded(password)].filter((secret) => secret !== '');
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

/** Name of the database in the URI; the service's own name when there is none. */
export function databaseName(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^/?]+)/.exec(uri)?.[1] ?? 'tipoff';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
