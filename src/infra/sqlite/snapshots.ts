import type { DatabaseSync } from 'node:sqlite';
import type { Snapshot } from '../../core/ports/ingest-store.ts';
import { prepareQuery } from './connection.ts';

/** Reads and writes whole snapshots; `write` is to be called within a transaction. */
export function createSnapshots(db: DatabaseSync) {
  const head = prepareQuery<{ checkpoint: string; chunk_count: number | null }>(
    db,
    'SELECT checkpoint, chunk_count FROM snapshots WHERE source = ?',
  );
  const chunks = prepareQuery<{ text: string }>(
    db,
    'SELECT text FROM snapshot_chunks WHERE source = ? ORDER BY position',
  );
  const putHead = db.prepare(
    `INSERT INTO snapshots (source, checkpoint, chunk_count) VALUES (?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET checkpoint = excluded.checkpoint, chunk_count = excluded.chunk_count`,
  );
  const removeChunks = db.prepare('DELETE FROM snapshot_chunks WHERE source = ?');
  const putChunk = db.prepare('INSERT INTO snapshot_chunks (source, position, text) VALUES (?, ?, ?)');
  return {
    read(source: string): Snapshot | null {
      const row = head.get(source);
      if (row === undefined) return null;
      const texts = row.chunk_count === null ? null : chunks.all(source).map(({ text }) => text);
      return { source, checkpoint: JSON.parse(row.checkpoint), chunks: texts };
    },
    write(snapshot: Snapshot): void {
      const { source, checkpoint, chunks: texts } = snapshot;
      putHead.run(source, JSON.stringify(checkpoint ?? null), texts?.length ?? null);
      removeChunks.run(source);
      for (const [position, text] of (texts ?? []).entries()) putChunk.run(source, position, text);
    },
  };
}
