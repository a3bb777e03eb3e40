import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { openDatabase } from '../../../src/infra/database.ts';
import { silentLogger } from '../silent-logger.ts';
import { withDatabaseName } from './mongo-database.ts';

const VERSION = 'schema_version';

/**
 * Databases with this build's schema. One that is used again costs a tenth of a new one, for which the server makes a
 * file for each of a hundred collections and indexes.
 */
export class DatabasePool {
  readonly #server: string;
  readonly #prefix: string;
  readonly #idle: string[] = [];
  #schema: string | null = null;

  /** `prefix`: of the names of its databases, which stay until the end of the run. */
  constructor(server: string, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
  }

  /** The URL of an empty database that nothing else uses. */
  async take(): Promise<string> {
    const idle = this.#idle.shift();
    if (idle !== undefined) {
      await withDatabase(idle, empty);
      return idle;
    }
    const url = withDatabaseName(this.#server, `${this.#prefix}${randomUUID().replaceAll('-', '')}`);
    await (await openDatabase(url, { logger: silentLogger })).close();
    this.#schema ??= await withDatabase(url, schemaOf);
    return url;
  }

  /** Of a database whose documents alone were changed, and to which no connection is open. */
  giveBack(url: string): void {
    this.#idle.push(url);
  }

  /** As `giveBack`, of a database whose schema may have been changed: it is dropped if it was. */
  async giveBackOrDrop(url: string): Promise<void> {
    await withDatabase(url, async (db) => {
      if ((await schemaOf(db)) === this.#schema) this.giveBack(url);
      else await db.dropDatabase();
    });
  }
}

async function withDatabase<T>(url: string, act: (db: Db) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(url);
  try {
    return await act(client.db());
  } finally {
    await client.close();
  }
}

async function empty(db: Db): Promise<void> {
  const collections = await db.collections();
  const filled = collections.filter(({ collectionName }) => collectionName !== VERSION);
  await Promise.all(filled.map((collection) => collection.deleteMany()));
}

/** Collections with their options, indexes, and the version, as text. */
async function schemaOf(db: Db): Promise<string> {
  const collections = await db.listCollections({}, { nameOnly: false }).toArray();
  const described = collections
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async ({ name, type, options }) => ({
      ...{ name, type, options },
      indexes: (await db.collection(name).indexes()).toSorted((a, b) =>
        String(a.name) < String(b.name) ? -1 : 1,
      ),
    }));
  const versions = await db.collection(VERSION).find().toArray();
  return JSON.stringify([await Promise.all(described), versions]);
}
