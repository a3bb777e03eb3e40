import type { Database } from '../core/database/database.ts';
import { openDatabase } from '../infra/database.ts';

/** The database of a command that reads no other setting. */
export const DATABASE_URL = process.env['DATABASE_URL'] || 'sqlite:./data/tipoff.db';

/** Opens a database, runs the task, and closes the database. */
export async function withDatabase<Result>(
  url: string,
  task: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(url);
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}
