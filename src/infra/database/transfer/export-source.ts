import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection, mongo } from 'mongoose';
import type { Identified } from '../../../core/base/documents/documents.ts';
import { UserError } from '../../../core/base/user-error.ts';
import { sqliteFile } from '../database.ts';
import type { ReadOptions } from '../mongo/connect.ts';
import { requireVersion } from '../schema-version.ts';
import { openReader, prepareQuery } from '../sqlite/connection.ts';
import { DamagedFile } from '../sqlite/open-failure.ts';
import { KINDS_TABLE, versionOf } from '../sqlite/schema.ts';

/** The kind that no export has: a running process says it of itself. */
const LEFT_OUT = 'worker';

/** A database as it is at one moment, while others write to it. */
export interface ExportSource {
  /** Versions of the kinds of documents, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  documents(kind: string): AsyncIterable<Identified>;
  close(): Promise<void>;
}

/** Opens the database that `DATABASE_URL` names. Throws for one of another build, and for one that is not there or damaged. */
export async function openExportSource(url: string): Promise<ExportSource> {
  const file = sqliteFile(url);
  return file === null ? openMongoSource(url) : openSqliteSource(file);
}

function openSqliteSource(file: string): ExportSource {
  if (!existsSync(file))
    throw new UserError(`DATABASE_URL: there is no file ${resolve(file)}. Name one that exists.`);
  const db = openReader(file);
  try {
    db.exec('BEGIN');
    requireVersion(versionOf(db));
    const { quick_check: found = '' } =
      prepareQuery<{ quick_check: string }>(db, 'PRAGMA quick_check(1)').get() ?? {};
    if (found !== 'ok') throw new DamagedFile(found.split('\n').at(-1));
    const select = `SELECT kind, version FROM ${KINDS_TABLE} ORDER BY kind`;
    const kinds = prepareQuery<{ kind: string; version: number }>(db, select).all();
    return {
      kinds: kept(kinds.map(({ kind, version }) => [kind, version])),
      async *documents(kind) {
        const found = db.prepare(`SELECT doc FROM ${kind} ORDER BY id`).iterate();
        for (const { doc } of found) yield JSON.parse(String(doc));
      },
      close: async () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

async function openMongoSource(uri: string): Promise<ExportSource> {
  const { connect, nativeCollection } = await import('../mongo/connect.ts');
  const { VERSIONS } = await import('../mongo/schema.ts');
  const connection = await connect(uri, { isUnlimited: true });
  try {
    const versions = await nativeCollection(connection, VERSIONS).find().toArray();
    const byId = new Map(versions.map(({ _id, version }) => [String(_id), Number(version)]));
    requireVersion(byId.get('schema') ?? 0);
    byId.delete('schema');
    const reads = await readsOf(connection, await nativeCollection(connection, 'lease').findOne({}));
    return {
      kinds: kept([...byId].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      async *documents(kind) {
        const found = nativeCollection(connection, kind).find({}, { ...reads, sort: { _id: 1 } });
        for await (const { _id: id, ...fields } of found) yield { id, ...fields };
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The past of a replica set; a server alone has none, so that the service must not run on it. */
async function readsOf(connection: Connection, lease: mongo.Document | null): Promise<ReadOptions> {
  const { setName, msg } = (await connection.db?.command({ hello: 1 })) ?? {};
  if (setName !== undefined || msg === 'isdbgrid')
    return { session: await connection.startSession({ snapshot: true }) };
  if (typeof lease?.['owner'] === 'string' && lease['expiresAt'] > Date.now())
    throw new UserError(
      'DATABASE_URL: the service runs on a server that is not a replica set, which cannot be read at one moment. Stop the service first.',
    );
  return {};
}

function kept(kinds: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(kinds.filter(([kind]) => kind !== LEFT_OUT));
}
