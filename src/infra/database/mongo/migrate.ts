import { type Connection, mongo } from 'mongoose';
import { PLAIN_KEY } from '../../../core/accounts/keys/api-key.ts';
import type { ChatFacts } from '../../../core/chat/chat-message.ts';
import { SchemaMismatch } from '../schema-version.ts';
import { CHAT_MESSAGES, newChatRow } from '../stores/chat-rows.ts';
import { KEYS } from '../stores/key-store.ts';
import { createModel } from './create-model.ts';
import { ensureIndexes } from './ensure-indexes.ts';
import { fillThreads } from './fill-threads.ts';
import type { Models } from './models.ts';
import { MongoCollection } from './mongo-collection.ts';
import { nativeCollection } from './native-collection.ts';
import { type ProgressLog, withProgress } from './progress.ts';

type Step = (models: Models, connection: Connection) => Promise<void>;

const RETIRED_INDEXES = [
  '_id_1_category_1_side_1_type_1_score_1_usdc_1_isResolved_1_listing_1',
  'listing_1__id_1',
];

/** No search reads them: filters are evaluated on columns in memory. */
const UNREAD_INDEXES = [
  'category_1__id_1_side_1_type_1_score_1_usdc_1_isResolved_1_listing_1',
  'score_1__id_1_category_1_side_1_type_1_usdc_1_isResolved_1_listing_1',
  'usdc_1__id_1_category_1_side_1_type_1_score_1_isResolved_1_listing_1',
];

/**
 * Step n (from 0) leads from version n + 1 to n + 2, and may be run again after a crash or by two processes at the same
 * time. It moves data: this build's collections and indexes exist before it runs.
 */
const MIGRATIONS: readonly Step[] = [
  async ({ alerts }) => {
    await Promise.all(RETIRED_INDEXES.map((name) => dropIndex(alerts.collection, name)));
  },
  async (_, connection) => {
    const webhooks = nativeCollection(connection, 'webhooks');
    const rest = { rotatedAt: null, isPaused: false, failuresInRow: 0 };
    await webhooks.updateMany({ failuresInRow: { $exists: false } }, { $set: rest });
  },
  async (_, connection) => {
    const keys = nativeCollection(connection, KEYS.name);
    await keys.updateMany({ customerId: { $exists: false } }, { $set: PLAIN_KEY });
    await moveNotices(connection);
  },
  // Version 5 only added collections.
  async () => {},
  async ({ alerts }, connection) => {
    await fillThreads(alerts);
    await addThreads(connection);
  },
  async ({ leases, chunks }) => {
    await nameChunkSets(leases);
    await dropIndex(chunks.collection, 'source_1_epoch_1');
  },
  // Version 8 added collections, and fields that older documents do not have.
  async () => {},
  // Version 9 added collections, an index, and fields of chat messages that older ones do not have.
  async () => {},
  // Version 10 added a collection, an index, and fields of webhooks and deliveries that older ones do not have.
  async ({ alerts }) => {
    await Promise.all(UNREAD_INDEXES.map((name) => dropIndex(alerts.collection, name)));
  },
  // Version 11 added a collection.
  async () => {},
];

/** The version of this build. */
export const SCHEMA_VERSION = MIGRATIONS.length + 1;

interface OlderPointer {
  readonly version: string;
  readonly checkpoint: string;
  readonly chunkCount: number | null;
}

/** Older snapshots were one set of chunks each. */
async function nameChunkSets(leases: Models['leases']): Promise<void> {
  const lease = await leases.findById('ingest').lean();
  for (const [source, pointer] of Object.entries(lease?.snapshots ?? {})) {
    if ('sets' in pointer) continue;
    const { version, checkpoint, chunkCount } = pointer as OlderPointer;
    const sets = chunkCount === null ? null : [{ id: version, count: chunkCount }];
    const path = `snapshots.${source}`;
    await leases.updateOne(
      { _id: 'ingest', [`${path}.version`]: version },
      { $set: { [path]: { checkpoint, sets } } },
    );
  }
}

/** Older posts are threads of their own. The posts of an alert are now found by their ids. */
async function addThreads(connection: Connection): Promise<void> {
  const collection = nativeCollection(connection, CHAT_MESSAGES.name);
  const before = { 'facts.threadId': { $exists: false } };
  await collection.updateMany({ kind: 'alert', ...before }, [
    { $set: { threadId: '$alertId', 'facts.threadId': '$alertId' } },
  ]);
  await collection.updateMany({ kind: 'alert_result', ...before }, [
    { $set: { 'facts.threadId': '$facts.alertId' } },
  ]);
  await dropIndex(collection, 'alertId_1__id_1');
}

interface Notice {
  readonly _id: string;
  readonly keyId: string;
  readonly kind: 'webhook_failing';
  readonly facts: ChatFacts['webhook_failing'];
  readonly createdAt: number;
}

/** Notices of version 3 become messages that are due. One that exists was moved by an earlier run. */
async function moveNotices(connection: Connection): Promise<void> {
  const messages = new MongoCollection(connection, CHAT_MESSAGES);
  const notices = connection.collection<Notice>('notices');
  for await (const { _id: id, keyId, kind, facts, createdAt } of notices.find()) {
    const recipient = `key:${keyId}` as const;
    await messages.insertNew([newChatRow({ id, recipient, kind, facts, createdAt, dueAt: createdAt })]);
  }
  await notices.drop();
}

const INDEX_NOT_FOUND = 27;

/** A missing index is ignored: a new database never had it, or another process has dropped it. */
async function dropIndex(collection: Pick<mongo.Collection, 'dropIndex'>, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
  }
}

/** `migrates`: as a start does; without it an older database is refused, and one of this build's version is left as it is. */
export interface MigrateOptions extends ProgressLog {
  readonly migrates: boolean;
}

/**
 * Creates what is missing of this build's collections and indexes, at every start: a restore may have left them out.
 * Brings the data to this build's version, also what an older build appends after that; throws `SchemaMismatch` for a database
 * that is ahead of it.
 */
export async function migrate(
  connection: Connection,
  models: Models,
  { migrates, ...log }: MigrateOptions,
): Promise<void> {
  const versions = createModel<{ readonly _id: string; readonly version: number }>(
    connection,
    'schema_version',
  );
  const newest = SCHEMA_VERSION;
  const found = (await versions.findById('schema').lean())?.version ?? 0;
  // `$max`: never back, should a newer build have come in between.
  const write = (version: number) =>
    versions.updateOne({ _id: 'schema' }, { $max: { version } }, { upsert: true });
  const isOlder = found > 0 && found < newest;
  if (found > newest || (isOlder && !migrates)) throw new SchemaMismatch(found, newest);
  if (found === newest && !migrates) return;
  await ensureIndexes(connection, models, log);
  if (found === 0) await write(newest);
  for (const [index, step] of MIGRATIONS.entries()) {
    if (found === 0 || index + 1 < found) continue;
    const fields = { from: index + 1, to: index + 2 };
    log.logger.info(fields, 'database migration started');
    const progress = { fields, message: 'database migration in progress' };
    const seconds = await withProgress(log, progress, () => step(models, connection));
    await write(index + 2);
    log.logger.info({ ...fields, seconds }, 'database migration finished');
  }
  await fillThreads(models.alerts);
}
