import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { openMigratedMongo } from '../../src/infra/database/mongo/open-mongo.ts';
import { withTimeLimits } from '../../src/infra/database/time-limits.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { DatabasePool } from './mongod/database-pool.ts';

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
