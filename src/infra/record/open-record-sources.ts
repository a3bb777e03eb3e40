import type { RecordSources } from '../../core/record/record-maker.ts';
import { openSqliteRecordSources } from '../database/sqlite/record-sources.ts';
import { systemClock } from '../process/system-clock.ts';

/** What a record is made from, over a connection of its own. */
export interface OpenRecordSources extends RecordSources {
  close(): Promise<void>;
}

/** A database that this build has migrated. `file`: of an SQLite database, not in memory; null for MongoDB. */
export interface RecordDatabase {
  readonly url: string;
  readonly file: string | null;
}

export async function openRecordSources({ url, file }: RecordDatabase): Promise<OpenRecordSources> {
  if (file !== null) return openSqliteRecordSources(file);
  const { openMigratedMongo } = await import('../database/mongo/open-mongo.ts');
  return openMigratedMongo(url, systemClock);
}
