import { type Connection, createConnection, mongo } from 'mongoose';
import { endsWithin } from '../../../core/base/async/with-timeout.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { UserError } from '../../../core/base/user-error.ts';
import type { StoredDocument } from './mongo-fields.ts';
import { databaseName, mongoFailure, shownServer, withoutCredentials } from './open-failure.ts';

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
/** More index reads than sockets are sent at a start, and a busy server answers them late. */
const UNLIMITED = { socketTimeoutMS: 0, waitQueueTimeoutMS: 0 } as const;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Throws within about 4 s: `DatabaseUnavailable` when no server answers, a `UserError` for what the URI must say otherwise.
 * Neither repeats the credentials. For `isUnlimited`, index builds and transfers, neither sockets nor the wait for one have a
 * limit.
 */
export async function connect(uri: string, { isUnlimited = false } = {}): Promise<Connection> {
  try {
    return await createConnection(uri, {
      dbName: databaseName(uri),
      ...TIMEOUTS,
      ...(isUnlimited && UNLIMITED),
      readPreference: 'primary',
      w: 'majority',
      journal: true,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
    }).asPromise();
  } catch (error) {
    const failure = mongoFailure(error, uri);
    if (failure !== error) throw failure;
    // The driver's own error is not passed on: it may quote the URI.
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `DATABASE_URL: MongoDB at ${shownServer(uri)} cannot be used: ${withoutCredentials(reason, uri)}`,
    );
  }
}

/** A server that hangs or is gone does not hold up the end: its connections end with the process. */
export async function closeInTime(connection: Connection, clock: Clock): Promise<void> {
  await endsWithin({ clock, timeoutMs: CLOSE_TIMEOUT_MS }, connection.close());
}

export function nativeCollection(
  connection: Connection,
  name: string,
  options?: mongo.CollectionOptions,
): mongo.Collection<StoredDocument> {
  if (connection.db === undefined) throw new Error('MongoDB: the connection is not open.');
  return connection.db.collection<StoredDocument>(
    name,
    options,
  ) as unknown as mongo.Collection<StoredDocument>;
}

/** How documents are read: until a time limit, or in a session at one moment. */
export type ReadOptions = Pick<mongo.FindOptions, 'maxTimeMS' | 'session'>;

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a unique value is taken; that of these fields when they are given. */
export function isDuplicateKey(error: unknown, fields?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return fields === undefined || Object.keys(Object(error['keyPattern'])).join() === fields;
}

/** The places of the documents whose ids or unique values are taken. Throws every other error. */
export function takenOf(error: unknown): readonly number[] {
  if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
  const refused = [error.writeErrors].flat();
  if (refused.some(({ code }) => code !== error.code)) throw error;
  return refused.map(({ index }) => index);
}
