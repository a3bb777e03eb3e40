import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openDatabase } from '../../../src/infra/database.ts';
import { silentLogger } from '../silent-logger.ts';
import { withDatabaseName } from './mongo-database.ts';

/**
 * Databases with this build's schema. One that is used again costs a tenth of a new one, for which the server makes a
 * file for each of a hundred collections and indexes.
 */
export class DatabasePool {
  readonly #server: string;
  readonly #prefix: string;
  readonly #idle: string[] = [];

  /** `prefix`: of the names of its databases, which stay until the end of the run. */
  constructor(server: string, prefix: string) {
    this.#server = server;
    this.#prefix = prefix;
  }

  /** The URL of an empty database that nothing else uses. */
  async take(): Promise<string> {
    const idle = this.#idle.shift();
    if (idle !== undefined) {
      await empty(idle);
      return idle;
    }
    const url = withDatabaseName(this.#server, `${this.#prefix}${randomUUID().replaceAll('-', '')}`);
    await (await openDatabase(url, { logger: silentLogger })).close();
    return url;
  }

  /** Of a database whose documents alone were changed, and to which no connection is open. */
  giveBack(url: string): void {
    this.#idle.push(url);
  }
}

async function empty(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    const collections = await client.db().collections();
    const filled = collections.filter(({ collectionName }) => collectionName !== 'schema_version');
    await Promise.all(filled.map((collection) => collection.deleteMany()));
  } finally {
    await client.close();
  }
}
