import { type Connection, type ConnectOptions, createConnection } from 'mongoose';
import { withTimeout } from '../../core/async/with-timeout.ts';
import type { Clock } from '../../core/clock.ts';
import { DATABASE_TIMEOUT_MS } from '../../core/database-timeout.ts';
import { UserError } from '../../core/user-error.ts';

/**
 * What is not sent fails before the time limit of a call (`DATABASE_TIMEOUT_MS`, 4 s), so that its outcome is known; what
 * gets no answer ends after it and gives its socket back. A server that hangs is left once it has missed a heartbeat:
 * after `heartbeatFrequencyMS` + `connectTimeoutMS` at the latest. All of them win over the options of the URL.
 */
const TIMEOUTS = {
  serverSelectionTimeoutMS: 3_500,
  waitQueueTimeoutMS: 3_500,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  socketTimeoutMS: 5_000,
} as const;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Throws a `UserError` without credentials within about 4 s when no server answers. The server ends a read after the
 * time limit of a call, when its answer is not awaited any more; for `isUnlimited`, index builds and migrations, neither
 * reads nor sockets have a limit.
 */
export async function connect(uri: string, { isUnlimited = false } = {}): Promise<Connection> {
  const connection = await openConnection(uri, isUnlimited ? { socketTimeoutMS: 0 } : {});
  if (!isUnlimited) connection.set('maxTimeMS', DATABASE_TIMEOUT_MS);
  return connection;
}

async function openConnection(
  uri: string,
  options: Pick<ConnectOptions, 'socketTimeoutMS'>,
): Promise<Connection> {
  try {
    return await createConnection(uri, {
      dbName: databaseName(uri),
      ...TIMEOUTS,
      ...options,
      readPreference: 'primary',
      w: 'majority',
      journal: true,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
    }).asPromise();
  } catch (error) {
    // The driver's own error is not passed on: it may quote the URI.
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`MongoDB at ${shownServer(uri)} cannot be used: ${withoutCredentials(reason, uri)}`);
  }
}

/** A server that hangs does not hold up the end of the process. */
export async function closeInTime(connection: Connection, clock: Clock): Promise<void> {
  await withTimeout({ clock, timeoutMs: CLOSE_TIMEOUT_MS }, connection.close()).catch(() => {});
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
