import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../src/infra/database/archive/archive.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { connect } from '../../src/infra/database/mongo/connect.ts';
import { MongoCollection } from '../../src/infra/database/mongo/mongo-collection.ts';
import { openWriter } from '../../src/infra/database/sqlite/connection.ts';
import { SqliteCollection } from '../../src/infra/database/sqlite/sqlite-collection.ts';
import { createAlertStore } from '../../src/infra/database/stores/alert-store.ts';
import type { OpenCollection } from '../../src/infra/database/stores/collection.ts';
import { findMongod } from '../../test/support/mongod/find-mongod.ts';
import { dropMongoDatabase, withDatabaseName } from '../../test/support/mongod/mongo-database.ts';
import { startMongod } from '../../test/support/mongod/own-mongod.ts';
import { type Figure, figure, progress, seconds, whole } from './figure.ts';
import { sampleAlert } from './sample-alerts.ts';

export interface SeedRange {
  readonly after: number;
  readonly upto: number;
  /** How much later the samples are. */
  readonly shiftMs?: number;
}

export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
  /** Inserts sample alerts directly into the database; no other process may have it open. */
  seed(range: SeedRange): Promise<void>;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'MongoDB';
  open(): Promise<BenchDatabase>;
}

type Work = (kind: DatabaseKind) => Promise<readonly Figure[]>;

/** Does the work on SQLite and on MongoDB. Where no mongod is available, a figure states why. */
export async function onEachDatabase(work: Work): Promise<readonly Figure[]> {
  return [...(await work({ name: 'SQLite', open: openSqliteFile })), ...(await onMongo(work))];
}

export async function onMongo(work: Work): Promise<readonly Figure[]> {
  const found = await findMongod();
  if ('problems' in found) {
    const reason = `skipped, no mongod to be had: ${found.problems.join('; ')}`;
    progress(reason);
    return [figure('MongoDB', reason)];
  }
  const server = await startMongod([], { isSmall: false });
  try {
    return await work({ name: 'MongoDB', open: () => openMongoDatabase(server.uri) });
  } finally {
    await server.stop();
  }
}

export async function openSqliteFile(): Promise<BenchDatabase> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-bench-'));
  const path = join(folder.path, 'tipoff.db');
  return {
    url: `sqlite:${path}`,
    seed: (range) => timed(range, () => seedSqlite(path, range)),
    [Symbol.asyncDispose]: folder.remove,
  };
}

async function openMongoDatabase(server: string): Promise<BenchDatabase> {
  const url = withDatabaseName(server, `tipoff_bench_${process.pid}_${Date.now().toString(36)}`);
  return {
    url,
    seed: (range) => timed(range, () => seedMongo(url, range)),
    [Symbol.asyncDispose]: () => dropMongoDatabase(url),
  };
}

async function timed({ after, upto }: SeedRange, seed: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await seed();
  progress(`${whole(upto - after)} alerts put in, ${seconds(startedAt).toFixed(1)} s`);
}

async function seedSqlite(path: string, range: SeedRange): Promise<void> {
  await (await openDatabase(`sqlite:${path}`)).close();
  const db = openWriter(path, 'OFF');
  db.exec('PRAGMA cache_size = -1000000');
  await insertAlerts((declaration) => new SqliteCollection(db, declaration), range);
  db.close();
}

async function seedMongo(url: string, range: SeedRange): Promise<void> {
  await (await openDatabase(url)).close();
  const connection = await connect(url, { isUnlimited: true });
  await insertAlerts((declaration) => new MongoCollection(connection, declaration), range);
  await connection.close();
}

const BATCH = 5_000;

async function insertAlerts(open: OpenCollection, { after, upto, shiftMs }: SeedRange): Promise<void> {
  const { append } = createAlertStore(open, open, {} as Archive);
  for (let start = after; start < upto; start += BATCH) {
    const ids = Array.from({ length: Math.min(upto - start, BATCH) }, (_, index) => start + index + 1);
    await append(...ids.map((id) => sampleAlert(id, shiftMs)));
  }
}
