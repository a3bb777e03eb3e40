import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sqliteFile } from './database.ts';

/** The file system with the database; for a remote database that of the working directory. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly freePercent: number;
  /** Whether the service writes there: with an SQLite file in every role, with MongoDB in none. */
  readonly isWritten: boolean;
}

/** Null where the system does not know the size of the file system. Throws what `statfs` throws. */
export async function diskSpaceOf(databaseUrl: string): Promise<DiskSpace | null> {
  const file = sqliteFile(databaseUrl);
  const isWritten = file !== null && file !== ':memory:';
  const { bavail, bsize, blocks } = await statfs(isWritten ? dirname(file) : '.');
  if (blocks === 0) return null;
  return { freeBytes: bavail * bsize, freePercent: Math.floor((1_000 * bavail) / blocks) / 10, isWritten };
}
