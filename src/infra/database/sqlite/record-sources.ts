import type { RecordSources } from '../../../core/record/record-maker.ts';
import { createResolutionStore } from '../stores/settlement-store.ts';
import { createSqliteAlertStore } from './alert-store.ts';
import { createInlineArchive } from './archive-access.ts';
import { openReader } from './connection.ts';
import { createSqliteObservationStore } from './observation-store.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** What a record is made from, over a read-only connection of its own. */
export function openSqliteRecordSources(path: string): RecordSources & { close(): Promise<void> } {
  const db = openReader(path);
  return {
    observations: createSqliteObservationStore(db),
    alerts: createSqliteAlertStore(db, createInlineArchive(db)),
    resolutions: createResolutionStore((declaration) => new SqliteCollection(db, declaration)),
    close: async () => db.close(),
  };
}
