import type { DatabaseSync } from 'node:sqlite';
import type { Lease } from '../../../core/base/lease/lease.ts';
import type { ChunkSet, SnapshotStore } from '../../../core/ingest/snapshot-store.ts';
import type { PutInJournal } from '../stores/journal-store.ts';
import { prepareQuery, transaction } from './connection.ts';

/** Snapshots and their chunks. */
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
  const isHeld = createHolderCheck(db);
  /** Runs the lease holder's work in a transaction; `refused` for another process. */
  const asHolder = <T>(lease: Lease, refused: T, work: () => T) =>
    transaction(db, () => (isHeld(lease) ? work() : refused));
  return {
    async readSnapshot(source) {
      const row = head.get(source);
      if (row === undefined) return null;
      const sets = row.sets === null ? null : (JSON.parse(row.sets) as readonly ChunkSet[]);
      return { source, checkpoint: JSON.parse(row.checkpoint), sets };
    },
    readChunks: async (set, { first, limit }) => chunks.all(set, first, limit).map(({ text }) => text),
    writeChunks: async (lease, source, added) =>
      asHolder(lease, false, () => {
        for (const { set, position, text } of added) putChunk.run(source, set, position, text);
        return true;
      }),
    writeSnapshot: async (lease, { source, checkpoint, sets }) =>
      asHolder(lease, false, () => {
        putHead.run(source, JSON.stringify(checkpoint ?? null), sets === null ? null : JSON.stringify(sets));
        return true;
      }),
    dropChunks: async (lease, source, limit) =>
      asHolder(lease, 0, () => Number(dropUnnamed.run({ $source: source, $limit: limit }).changes)),
  } satisfies Partial<SnapshotStore>;
}

/** Checks the lease and the position in the transaction that inserts. */
export function createSqliteJournalPut(db: DatabaseSync): PutInJournal {
  const isHeld = createHolderCheck(db);
  const last = prepareQuery<{ next: number }>(db, 'SELECT next FROM journal ORDER BY first DESC LIMIT 1');
  const insert = db.prepare('INSERT INTO journal (first, next, accepted_at, lines) VALUES (?, ?, ?, ?)');
  return async (lease, { first, next, acceptedAt, lines }) =>
    transaction(db, () => {
      if (!isHeld(lease) || (last.get()?.next ?? 1) !== first) return false;
      insert.run(first, next, acceptedAt, lines);
      return true;
    });
}

/** Checks that an ingest lease is still current. Must run in the transaction that writes under it. */
export function createHolderCheck(db: DatabaseSync): (lease: Lease) => boolean {
  const holder = prepareQuery<{ epoch: number; owner: string | null }>(
    db,
    `SELECT epoch, owner FROM lease WHERE name = 'ingest'`,
  );
  return ({ epoch }) => {
    const row = holder.get();
    return row !== undefined && row.epoch === epoch && row.owner !== null;
  };
}
