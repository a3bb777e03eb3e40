import type { Clock } from '../../../core/base/time/clock.ts';
import { type Database, openFeatures } from '../../../core/database.ts';
import { declaredKinds } from '../documents/declared-kinds.ts';
import { createKind, openMongoDocuments } from '../documents/open-mongo-documents.ts';
import { closeInTime, connect } from './connect.ts';
import { createMongoRateLimiter } from './rate-limiter.ts';
import { type CreationOptions, createCollections } from './schema.ts';

/** About 1 MB in one message. */
const GROUPS = { most: 500, slowMs: Number.POSITIVE_INFINITY };

export interface MongoOptions extends CreationOptions {
  readonly uri: string;
}

/**
 * Opens a MongoDB database: a stand-alone server, a replica set or a managed cluster. Throws within about 4 s when
 * none answers, when the database is of another build, and when an index cannot be built. No error repeats the URI's
 * credentials.
 */
export async function openMongo({ uri, ...options }: MongoOptions): Promise<Database> {
  await createFirst(uri, options);
  return openMigratedMongo(uri, options.clock);
}

/** As `openMongo`, for a database that is known to have this build's schema. */
export async function openMigratedMongo(uri: string, clock: Clock): Promise<Database> {
  const connection = await connect(uri);
  const documents = openMongoDocuments(connection, clock);
  return {
    kind: 'mongodb',
    documents,
    ...openFeatures(documents),
    groups: GROUPS,
    sharedLimiter: createMongoRateLimiter(connection),
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
async function createFirst(uri: string, options: CreationOptions): Promise<void> {
  const connection = await connect(uri, { isUnlimited: true });
  try {
    if (await createCollections(connection, options))
      await Promise.all(declaredKinds().map((declaration) => createKind(connection, declaration)));
  } finally {
    await closeInTime(connection, options.clock);
  }
}
