import { UserError } from '../../../core/base/user-error.ts';
import type { Database } from '../../../core/database.ts';
import { openDatabase } from '../database.ts';
import { declaredKinds } from '../documents/declared-kinds.ts';

/** Opens the database that `DATABASE_URL` names, and creates it where there is none. Throws a `UserError` unless it is empty. */
export async function openImportTarget(url: string): Promise<Database & AsyncDisposable> {
  const database = await openDatabase(url, { isStart: true });
  const kinds = declaredKinds().map((declaration) =>
    database.documents(declaration, { isQuick: true }).count(),
  );
  const counts = await Promise.all(kinds);
  if (counts.every((count) => count === 0)) return database;
  await database.close();
  throw new UserError('DATABASE_URL: the database is not empty. Name a new, empty database.');
}
