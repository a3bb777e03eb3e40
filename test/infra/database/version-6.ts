import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { bringBackToSeventh } from './version-7.ts';

/** Makes the database what version 6 left: the chunks of a snapshot are one set. */
export async function bringBackToSixth(url: string): Promise<void> {
  await bringBackToSeventh(url);
  if (url.startsWith('sqlite:')) bringBackSqlite(url.slice('sqlite:'.length));
  else await bringBackMongo(url);
}

function bringBackSqlite(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    ALTER TABLE snapshots ADD COLUMN chunk_count INTEGER;
    UPDATE snapshots SET chunk_count = sets ->> '$[0].count' WHERE sets IS NOT NULL;
    ALTER TABLE snapshots DROP COLUMN sets;
    ALTER TABLE snapshot_chunks RENAME TO chunks_in_sets;
    CREATE TABLE snapshot_chunks (
      source TEXT NOT NULL REFERENCES snapshots (source), position INTEGER NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (source, position)
    ) STRICT;
    INSERT INTO snapshot_chunks SELECT source, position, text FROM chunks_in_sets;
    DROP TABLE chunks_in_sets;
    PRAGMA user_version = 6;
  `);
  db.close();
}

interface Pointer {
  readonly checkpoint: string;
  readonly sets: readonly { readonly id: string; readonly count: number }[] | null;
}

async function bringBackMongo(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  const db = client.db();
  const leases = db.collection<{ _id: string; snapshots: Record<string, Pointer> }>('lease');
  for (const { _id, snapshots } of await leases.find().toArray()) {
    const older = Object.entries(snapshots ?? {}).map(([source, { checkpoint, sets }]) => {
      const [set] = sets ?? [];
      return [source, { version: set?.id ?? 'none', checkpoint, chunkCount: set?.count ?? null }];
    });
    await leases.updateOne({ _id }, { $set: { snapshots: Object.fromEntries(older) } });
  }
  const chunks = db.collection('snapshot_chunks');
  await chunks.dropIndex('source_1_version_1_epoch_1');
  await chunks.createIndex({ source: 1, epoch: 1 });
  await db.collection('schema_version').updateOne({}, { $set: { version: 6 } });
  await client.close();
}
