import { type Connection, mongo } from 'mongoose';
import type { Clock } from '../../../core/base/time/clock.ts';
import { type DatabaseUse, requireVersion, SCHEMA_VERSION, UNFINISHED_TRANSFER } from '../schema-version.ts';
import type {
  RowSource,
  RowTarget,
  TablePosition,
  TableRow,
  TransferTable,
} from '../transfer/transfer-table.ts';
import { closeInTime, connect, nativeCollection, type ReadOptions } from './connect.ts';
import { MongoCollection } from './mongo-collection.ts';
import { shownServer } from './open-failure.ts';
import { type BuildLog, createCollections, VERSIONS } from './schema.ts';

const MAJORITY: ReadOptions = { readConcern: { level: 'majority' } };

interface VersionDocument {
  readonly version?: number;
  /** Of an unfinished transfer: its source. */
  readonly transfer?: string;
}

/** The collections of a MongoDB database as rows. Reads have no time limit: pages of a large table take longer than a request may. */
class MongoRows implements RowSource {
  readonly name: string;
  protected readonly connection: Connection;
  readonly #session: mongo.ClientSession | null;
  readonly #clock: Clock;

  constructor(
    connection: Connection,
    { uri, clock, session = null }: { uri: string; clock: Clock; session?: mongo.ClientSession | null },
  ) {
    this.connection = connection;
    this.name = `mongodb://${shownServer(uri)}/${connection.name}`;
    this.#clock = clock;
    this.#session = session;
  }

  get isFrozen(): boolean {
    return this.#session !== null;
  }

  read(table: TransferTable, after: TablePosition | null): Promise<readonly TableRow[]> {
    return this.table(table).page(after, table.batch);
  }

  count({ name }: TransferTable): Promise<number> {
    return nativeCollection(this.connection, name).estimatedDocumentCount();
  }

  async size(): Promise<number> {
    const stats = await this.connection.db?.stats();
    return Number(stats?.['dataSize'] ?? 0);
  }

  async close(): Promise<void> {
    await this.#session?.endSession();
    await closeInTime(this.connection, this.#clock);
  }

  protected table({ declaration }: TransferTable): MongoCollection<Record<string, unknown>> {
    const reads = this.#session === null ? MAJORITY : { session: this.#session };
    return new MongoCollection(this.connection, declaration, { reads });
  }
}

/** Error codes of a server that no longer has the past of a session. */
const SNAPSHOT_GONE: readonly unknown[] = [239, 246];

/** Whether reading at one moment took longer than the server keeps the past. */
export function isSnapshotGone(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && SNAPSHOT_GONE.includes(error.code);
}

export interface MongoRowsOptions extends BuildLog {
  readonly uri: string;
  readonly use: DatabaseUse;
}

/** Opens a database to be read, `isFrozen` at one moment. Throws `SchemaMismatch` for another build. */
export async function openMongoSource(
  { uri, use, clock }: MongoRowsOptions,
  { isFrozen }: { readonly isFrozen: boolean },
): Promise<RowSource> {
  const connection = await connect(uri, { isUnlimited: true, use });
  try {
    requireVersion((await versionDocument(connection)).version ?? 0);
    const canFreeze = isFrozen && (await isReplicated(connection));
    const session = canFreeze ? await connection.startSession({ snapshot: true }) : null;
    return new MongoRows(connection, { uri, clock, session });
  } catch (error) {
    await closeInTime(connection, clock);
    throw error;
  }
}

/** Whether the server is a member of a replica set, or routes to some. */
async function isReplicated(connection: Connection): Promise<boolean> {
  const hello = await connection.db?.command({ hello: 1 });
  return hello?.['setName'] !== undefined || hello?.['msg'] === 'isdbgrid';
}

async function versionDocument(connection: Connection): Promise<VersionDocument> {
  const found = await nativeCollection(connection, VERSIONS).findOne({ _id: 'schema' });
  return (found ?? {}) as VersionDocument;
}

/** A database that is filled. The source is in the document of its version. */
class MongoRowTarget extends MongoRows implements RowTarget {
  async unfinishedFrom(): Promise<string | null> {
    const { version, transfer } = await versionDocument(this.connection);
    return version === UNFINISHED_TRANSFER ? (transfer ?? null) : null;
  }

  begin(source: string): Promise<void> {
    return this.#setVersion({ version: UNFINISHED_TRANSFER, transfer: source });
  }

  async write(table: TransferTable, rows: readonly TableRow[]): Promise<void> {
    await this.table(table).insertNew(rows);
  }

  async clear(tables: readonly TransferTable[]): Promise<void> {
    for (const table of tables) await this.table(table).delete({});
  }

  finish(): Promise<void> {
    return this.#setVersion({ version: SCHEMA_VERSION });
  }

  async #setVersion(document: VersionDocument): Promise<void> {
    const versions = nativeCollection(this.connection, VERSIONS);
    await versions.replaceOne({ _id: 'schema' }, document, { upsert: true });
  }
}

/** Opens a database to be filled, with its collections and indexes. Throws `SchemaMismatch` for the schema of another build. */
export async function openMongoTarget({ uri, use, ...log }: MongoRowsOptions): Promise<RowTarget> {
  const connection = await connect(uri, { isUnlimited: true, use });
  try {
    const { version } = await versionDocument(connection);
    if (version !== UNFINISHED_TRANSFER) await createCollections(connection, { ...log, isStart: false });
    return new MongoRowTarget(connection, { uri, clock: log.clock });
  } catch (error) {
    await closeInTime(connection, log.clock);
    throw error;
  }
}
