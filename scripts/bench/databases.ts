import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { findMongod } from '../../test/support/mongod/find-mongod.ts';
import { dropMongoDatabase, withDatabaseName } from '../../test/support/mongod/mongo-database.ts';
import { startMongod } from '../../test/support/mongod/own-mongod.ts';
import { settleMarket, storeAlerts } from '../../test/support/stored.ts';
import { figure, progress, whole } from './figure.ts';
import { SAMPLE_EVERY_MS, SETTLED, sampleAlert } from './sample-alerts.ts';

export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'MongoDB';
  open(): Promise<BenchDatabase>;
}

type Work = (kind: DatabaseKind) => Promise<readonly string[]>;

/** Does the work on SQLite and on MongoDB. Where no mongod is available, a figure states why. */
export async function onEachDatabase(work: Work): Promise<readonly string[]> {
  return [...(await work({ name: 'SQLite', open: openSqliteFile })), ...(await onMongo(work))];
}

export async function onMongo(work: Work): Promise<readonly string[]> {
  const found = await findMongod();
  if ('problems' in found)
    return [figure('MongoDB', `skipped, no mongod to be had: ${found.problems.join('; ')}`)];
  const server = await startMongod([], { isSmall: false });
  try {
    return await work({ name: 'MongoDB', open: () => openMongoDatabase(server.uri) });
  } finally {
    await server.stop();
  }
}

export async function openSqliteFile(): Promise<BenchDatabase> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-bench-'));
  return { url: `sqlite:${join(folder.path, 'tipoff.db')}`, [Symbol.asyncDispose]: folder.remove };
}

async function openMongoDatabase(server: string): Promise<BenchDatabase> {
  const url = withDatabaseName(server, `tipoff_bench_${crypto.randomUUID()}`);
  return { url, [Symbol.asyncDispose]: () => dropMongoDatabase(url) };
}

interface SeedRange {
  readonly after: number;
  readonly upto: number;
  /** When the last of them was made; without it, when its number says. */
  readonly endsAt?: EpochMs;
}

/** So few that even a busy machine inserts them within the time limit of a call. */
const BATCH = 500;

/** Enters sample alerts in the log, and settles their markets when the last was made; no service may run on the database. */
export async function seed(url: string, { after, upto, endsAt }: SeedRange): Promise<void> {
  await using database = await openDatabase(url);
  const alertOf = (id: number) =>
    sampleAlert(id, endsAt === undefined ? undefined : endsAt - (upto - id) * SAMPLE_EVERY_MS);
  for (let start = after; start < upto; start += BATCH) {
    const ids = Array.from({ length: Math.min(upto - start, BATCH) }, (_, index) => start + index + 1);
    await storeAlerts(database, ...ids.map(alertOf));
  }
  const { createdAt } = alertOf(upto);
  for (const settled of SETTLED) await settleMarket(database, { ...settled, at: createdAt });
  progress(`${whole(upto - after)} alerts inserted`);
}
