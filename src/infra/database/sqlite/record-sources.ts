import type { RecordSources } from '../../../core/record/record-maker.ts';
import type { OpenCollection } from '../stores/collection.ts';
import { createStores } from '../stores/stores.ts';
import { createInlineArchive } from './archive-access.ts';
import { openReader } from './connection.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** What a record is made from, over a read-only connection of its own. */
export function openSqliteRecordSources(path: string): RecordSources & { close(): Promise<void> } {
  const db = openReader(path);
  const open: OpenCollection = (declaration) => new SqliteCollection(db, declaration);
  const stores = createStores({ open, openQuick: open, openRestorable: open }, createInlineArchive(db));
  return { ...stores, close: async () => db.close() };
}
