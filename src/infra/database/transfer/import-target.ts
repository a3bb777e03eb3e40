import { UserError } from '../../../core/base/user-error.ts';
import { openDatabase, sqliteFile } from '../database.ts';
import { declaredKinds } from '../documents/declared-kinds.ts';
import { openWriter } from '../sqlite/connection.ts';
import { SqliteCollection } from '../sqlite/sqlite-collection.ts';
import type { OpenCollection } from '../stores/collection.ts';
import type { ImportTarget } from './import.ts';

/** Opens the database that `DATABASE_URL` names, and creates it where there is none. Throws a `UserError` unless it is empty. */
export async function openImportTarget(url: string): Promise<ImportTarget & AsyncDisposable> {
  const database = await openDatabase(url, { isStart: true });
  try {
    const kinds = declaredKinds().map((declaration) => database.documents(declaration).count());
    const counts = await Promise.all(kinds);
    if (counts.some((count) => count > 0) || (await database.alerts.last()) !== null)
      throw new UserError('DATABASE_URL: the database is not empty. Name a new, empty database.');
    const { open, close } = await openCollections(url);
    return {
      documents: database.documents,
      open,
      async [Symbol.asyncDispose]() {
        await close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openCollections(url: string): Promise<{ open: OpenCollection; close(): Promise<void> }> {
  const file = sqliteFile(url);
  if (file !== null) {
    const db = openWriter(file, 'NORMAL');
    return { open: (declaration) => new SqliteCollection(db, declaration), close: async () => db.close() };
  }
  const { connect } = await import('../mongo/connect.ts');
  const { MongoCollection } = await import('../mongo/mongo-collection.ts');
  const connection = await connect(url);
  return {
    open: (declaration) => new MongoCollection(connection, declaration),
    close: () => connection.close(),
  };
}
