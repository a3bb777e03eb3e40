import type { Connection } from 'mongoose';
import type { LogStore } from '../../../core/alerts/log/log-store.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import type { Database } from '../../../core/database.ts';
import { ColumnArchive } from '../archive/archive.ts';
import type { OpenCollection } from '../stores/collection.ts';
import { createLeaseStore } from '../stores/lease-store.ts';
import { LOG } from '../stores/log-store.ts';
import { plainStores } from '../stores/plain-stores.ts';
import { createMongoAlertStore } from './alert-store.ts';
import { createMongoArchiveSource } from './archive-source.ts';
import { closeInTime, connect } from './connect.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { createMongoJournalPut, createSnapshots } from './ingest-store.ts';
import { createModels } from './models.ts';
import { MongoCollection } from './mongo-collection.ts';
import { nativeCollection, readLimit } from './native-collection.ts';
import { createMongoObservationStore } from './observation-store.ts';
import { createMongoRateLimiter } from './rate-limiter.ts';
import { type MigrateOptions, migrate } from './schema.ts';
import { createMongoSpecialKeyStore } from './special-key-store.ts';

/** Far below the driver's 100 connections, which everything else shares. */
const ARCHIVE_CONCURRENCY = 8;

export interface MongoOptions extends MigrateOptions {
  readonly uri: string;
}

/**
 * Opens a MongoDB database: a stand-alone server, a replica set or a managed cluster. Throws within about 4 s when
 * none answers, when the database is of another build, and when an index cannot be built. No error repeats the URI's
 * credentials.
 */
export async function openMongo({ uri, ...options }: MongoOptions): Promise<Database> {
  await migrateFirst(uri, options);
  return openMigratedMongo(uri, options.clock);
}

/** As `openMongo`, for a database that is known to have this build's schema. */
export async function openMigratedMongo(uri: string, clock: Clock): Promise<Database> {
  const connection = await connect(uri);
  const models = createModels(connection);
  const open: OpenCollection = (declaration) => new MongoCollection(connection, declaration);
  const archive = new ColumnArchive(createMongoArchiveSource(models));
  return {
    ...plainStores(open, open, {
      keys: createMongoSpecialKeyStore(connection),
      appendToLog: createMongoLogAppend(connection),
      putInJournal: createMongoJournalPut(open, models),
    }),
    kind: 'mongodb',
    alerts: createMongoAlertStore(models, archive),
    archiveConcurrency: ARCHIVE_CONCURRENCY,
    ingest: { ...createLeaseStore(open, 'ingest'), ...createSnapshots(models) },
    sharedLimiter: createMongoRateLimiter(connection),
    observations: createMongoObservationStore(models),
    readTime: async () => {
      const { localTime } = (await connection.db?.command({ hello: 1 })) ?? {};
      if (!(localTime instanceof Date)) throw new Error('MongoDB: an answer without its time');
      return localTime.getTime();
    },
    // The storage engine reuses the space.
    purgeDeleted: async () => {},
    ping: async () => {
      await connection.db?.command({ ping: 1 });
    },
    close: () => closeInTime(connection, clock),
  };
}

/** Over a connection of its own: an index of a large collection takes minutes. */
async function migrateFirst(uri: string, options: MigrateOptions): Promise<void> {
  const connection = await connect(uri, { isUnlimited: true });
  try {
    await migrate(connection, createModels(connection), options);
  } finally {
    await closeInTime(connection, options.clock);
  }
}

/** The primary alone: an entry that it loses in an election is found missing by the next one. */
const PRIMARY_ALONE = { writeConcern: { w: 1, j: false } };

function createMongoLogAppend(connection: Connection): LogStore['append'] {
  const log = nativeCollection(connection, LOG.name);
  const presence = { ...readLimit(connection), projection: { _id: 1 } };
  return async ({ sequence, body, ...fields }, options) => {
    const previous = { _id: sequence - 1 };
    const isNext = sequence === 1 || (await log.findOne(previous, presence)) !== null;
    if (!isNext) throw new Error(`log: no entry ${sequence - 1}, so that ${sequence} cannot be appended`);
    try {
      const document = { _id: sequence, ...fields, body: JSON.stringify(body) };
      await log.insertOne(document, options?.isRestorable === true ? PRIMARY_ALONE : {});
      return 'appended';
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  };
}
