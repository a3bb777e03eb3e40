import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { openDatabase, withTimeLimits } from '../../src/infra/database/database.ts';
import { declaredKinds } from '../../src/infra/database/documents/declared-kinds.ts';
import { databaseName } from '../../src/infra/database/mongo/open-failure.ts';
import { openMigratedMongo } from '../../src/infra/database/mongo/open-mongo.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { withDatabaseName } from './mongod/mongo-database.ts';
import { silentLogger } from './silent-logger.ts';

const VERSION = 'schema_version';
/** Each connection costs the server a thread and both ends a handshake. */
const FEW_CONNECTIONS = { maxPoolSize: 2 };

/**
 * Databases with this build's schema. One that is used again costs a tenth of a new one, for which the server makes a
 * file for each of a hundred collections and indexes.
 */
class DatabasePool {
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
  // A kind that only a test declares is none of a new database.
  await db.collection<{ _id: string }>(VERSION).deleteMany({ _id: { $nin: KINDS } });
}

const KINDS = ['schema', ...declaredKinds().map(({ kind }) => kind)];

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

/** Collections with their options, indexes, and the version, as text; without those of documents, which are made when they are used. */
async function schemaOf(db: Db): Promise<string> {
  const all = await db.listCollections({}, { nameOnly: false }).toArray();
  const versions = await db.collection<{ _id: string }>(VERSION).find().toArray();
  const kinds = new Set(versions.map(({ _id }) => _id));
  const collections = all.filter(({ name }) => !kinds.has(name));
  const described = collections
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async ({ name, type, options }) => ({
      ...{ name, type, options },
      indexes: (await db.collection(name).indexes()).toSorted((a, b) =>
        String(a.name) < String(b.name) ? -1 : 1,
      ),
    }));
  const schema = versions.find(({ _id }) => _id === 'schema');
  return JSON.stringify([await Promise.all(described), schema]);
}

export interface TestDatabase {
  readonly database: Database;
  /** Opens the same database again, as `DATABASE_URL` or with `openDatabase`. */
  readonly url: string;
  drop(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  readonly available: boolean;
  open(): Promise<TestDatabase>;
}

const mongoUri = inject('mongoUri');
const pool = new DatabasePool(mongoUri ?? '', inject('databasePrefix'));

/** Both databases: `describe.skipIf(!available)(name, …)` for each. Without a mongod its lane is skipped by name. */
export const DATABASES: readonly DatabaseKind[] = [
  { name: 'SQLite', available: true, open: openSqliteFile },
  {
    name: mongoUri === null ? 'MongoDB (skipped: no mongod to be had)' : 'MongoDB',
    available: mongoUri !== null,
    open: openMongoDatabase,
  },
];

async function openSqliteFile(): Promise<TestDatabase> {
  migrated ??= migratedFile();
  const { folder, file, url } = await sqlitePlace();
  await writeFile(file, await migrated, { mode: 0o600 });
  const database = await openDatabase(url);
  const drop = async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { database, url, drop };
}

/** An SQLite file of this build's schema: to copy it takes a third of the time of a migration. */
let migrated: Promise<Buffer> | null = null;

async function migratedFile(): Promise<Buffer> {
  const { folder, file, url } = await sqlitePlace();
  await (await openDatabase(url)).close();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}

async function sqlitePlace() {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-'));
  const file = join(folder, 'data', 'tipoff.db');
  await mkdir(dirname(file));
  return { folder, file, url: `sqlite:${file}` };
}

async function openMongoDatabase(): Promise<TestDatabase> {
  const url = await pool.take();
  const database = withTimeLimits(await openMigratedMongo(url, systemClock), systemClock);
  let isShared = false;
  let isDropped = false;
  return {
    database,
    // With the address the schema may be changed.
    get url() {
      isShared = true;
      return url;
    },
    async drop() {
      await database.close();
      if (isDropped) return;
      isDropped = true;
      if (isShared) await pool.giveBackOrDrop(url);
      else pool.giveBack(url);
    },
  };
}
