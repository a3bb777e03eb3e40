import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sqliteFile } from './database.ts';

/** Free part of the file system with the database, in percent; for a remote database that of the working directory. */
export async function freeDiskPercent(databaseUrl: string): Promise<number | null> {
  const file = sqliteFile(databaseUrl);
  const folder = file === null || file === ':memory:' ? '.' : dirname(file);
  try {
    const { bavail, blocks } = await statfs(folder);
    return blocks === 0 ? null : Math.floor((1_000 * bavail) / blocks) / 10;
  } catch {
    return null;
  }
}
