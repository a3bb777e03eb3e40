import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { databaseName } from '../../../src/infra/database/mongo/uri.ts';
import { silentLogger } from '../silent-logger.ts';
import { withDatabaseName } from './mongo-database.ts';

const VERSION = 'schema_version';
/** Each connection costs the server a thread and both ends a handshake. */
const FEW_CONNECTIONS = { maxPoolSize: 2 };

/**
 * Databases with this build's schema. One that is used again costs a tenth of a new one, for which the server makes a
 * file for each of a hundred collections and indexes.
 */
export class DatabasePool {
  readonly #server: string;
  readonly #prefix: string;
  readonly #idle: string[] = [];
  #schema: string | null = null;
  /** Kept: to connect costs several times what is asked on the connection. */
  #client: MongoClient | null = null;

  /** `prefix`: of the names of its databases, which stay until the end of the run. */
  constructor(server: string, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
  }

  /** The URL of an empty database that nothing else uses. */
  async take(): Promise<string> {
    const idle = this.#idle.shift();
    if (idle !== undefined) {
      await empty(this.#db(idle));
      return idle;
    }
    const url = withDatabaseName(this.#server, `${this.#prefix}${randomUUID().replaceAll('-', '')}`);
    await (await openDatabase(url, { logger: silentLogger })).close();
    this.#schema ??= await schemaOf(this.#db(url));
    return url;
  }

  /** Of a database whose documents alone were changed, and to which no connection is open. */
  giveBack(url: string): void {
    this.#idle.push(url);
  }

  /** As `giveBack`, of a database whose schema may have been changed: it is dropped if it was. */
  async giveBackOrDrop(url: string): Promise<void> {
    const db = this.#db(url);
    if ((await schemaOf(db)) === this.#schema) this.giveBack(url);
    else await db.dropDatabase();
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
  }

  #db(url: string): Db {
    this.#client ??= new MongoClient(this.#server, FEW_CONNECTIONS);
    return this.#client.db(databaseName(url));
  }
}

async function empty(db: Db): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => name !== VERSION);
  await Promise.all((await filledOf(db, names)).map((name) => db.collection(name).deleteMany()));
}

/** Those that have a document. One command looks into all of them. */
async function filledOf(db: Db, names: readonly string[]): Promise<readonly string[]> {
  const firstOf = (name: string) => [{ $limit: 1 }, { $project: { _id: 0, name: { $literal: name } } }];
  const others = names.map((coll) => ({ $unionWith: { coll, pipeline: firstOf(coll) } }));
  const found = await db
    .collection(VERSION)
    .aggregate<{ readonly name: string }>([...firstOf(VERSION), ...others])
    .toArray();
  return found.map(({ name }) => name).filter((name) => name !== VERSION);
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
