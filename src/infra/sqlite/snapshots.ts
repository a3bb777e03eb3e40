import type { DatabaseSync } from 'node:sqlite';
import type { Chunk, ChunkSet, Snapshot } from '../../core/ingest/snapshot-store.ts';
import { prepareQuery } from './connection.ts';

/** Snapshots and their chunks. Writes must run within a transaction. */
export function createSnapshots(db: DatabaseSync) {
  const head = prepareQuery<{ checkpoint: string; sets: string | null }>(
    db,
    'SELECT checkpoint, sets FROM snapshots WHERE source = ?',
  );
  const chunks = prepareQuery<{ text: string }>(
    db,
    'SELECT text FROM snapshot_chunks WHERE set_id = ? AND position >= ? ORDER BY position LIMIT ?',
  );
  const putHead = db.prepare(
    `INSERT INTO snapshots (source, checkpoint, sets) VALUES (?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET checkpoint = excluded.checkpoint, sets = excluded.sets`,
  );
  const putChunk = db.prepare(
    'INSERT INTO snapshot_chunks (source, set_id, position, text) VALUES (?, ?, ?, ?)',
  );
  const dropUnnamed = db.prepare(
    `DELETE FROM snapshot_chunks WHERE id IN (
       SELECT id FROM snapshot_chunks WHERE source = $source AND set_id NOT IN (
         SELECT named.value ->> '$.id' FROM snapshots, json_each(snapshots.sets) AS named
         WHERE snapshots.source = $source
       ) LIMIT $limit
     )`,
  );
  return {
    read(source: string): Snapshot | null {
      const row = head.get(source);
      if (row === undefined) return null;
      const sets = row.sets === null ? null : (JSON.parse(row.sets) as readonly ChunkSet[]);
      return { source, checkpoint: JSON.parse(row.checkpoint), sets };
    },
    readChunks: (set: string, first: number, limit: number): readonly string[] =>
      chunks.all(set, first, limit).map(({ text }) => text),
    write({ source, checkpoint, sets }: Snapshot): void {
      putHead.run(source, JSON.stringify(checkpoint ?? null), sets === null ? null : JSON.stringify(sets));
    },
    writeChunks(source: string, added: readonly Chunk[]): void {
      for (const { set, position, text } of added) putChunk.run(source, set, position, text);
    },
    drop: (source: string, limit: number): number =>
      Number(dropUnnamed.run({ $source: source, $limit: limit }).changes),
  };
}
