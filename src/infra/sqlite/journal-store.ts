import type { DatabaseSync } from 'node:sqlite';
import type { JournalStore } from '../../core/ingest/journal-store.ts';
import { packLines, unpackLines } from '../database/journal-lines.ts';
import { prunable } from '../database/journal-pruning.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createHolderCheck } from './holder-check.ts';

interface Row {
  readonly first: number;
  readonly accepted_at: number;
  readonly lines: Uint8Array;
}

export function createSqliteJournalStore(db: DatabaseSync): JournalStore {
  const isHeld = createHolderCheck(db);
  const ends = prepareQuery<{ oldest: number | null; next: number | null }>(
    db,
    `SELECT (SELECT first FROM journal ORDER BY first LIMIT 1) AS oldest,
       (SELECT next FROM journal ORDER BY first DESC LIMIT 1) AS next`,
  );
  const put = db.prepare('INSERT INTO journal (first, next, accepted_at, lines) VALUES (?, ?, ?, ?)');
  // The batch that a position lies in is found by the key, whatever lies before it.
  const onward = prepareQuery<Row>(
    db,
    `SELECT first, accepted_at, lines FROM journal
     WHERE first >= coalesce((SELECT max(first) FROM journal WHERE first <= ?1), 0) AND next > ?1
     ORDER BY first LIMIT ?2`,
  );
  const oldest = prepareQuery<{ first: number; next: number; acceptedAt: number }>(
    db,
    'SELECT first, next, accepted_at AS acceptedAt FROM journal ORDER BY first LIMIT ?',
  );
  const removeUpTo = db.prepare('DELETE FROM journal WHERE first <= ?');
  const bounds = () => {
    const found = ends.get();
    return { oldest: found?.oldest ?? 1, next: found?.next ?? 1 };
  };
  return {
    async append(lease, { first, acceptedAt, lines }) {
      const packed = await packLines(lines);
      return transaction(db, () => {
        if (!isHeld(lease) || bounds().next !== first) return false;
        put.run(first, first + lines.length, acceptedAt, packed);
        return true;
      });
    },
    from: (position, limit) =>
      Promise.all(
        onward.all(position, limit).map(async ({ first, accepted_at: acceptedAt, lines }) => ({
          first,
          acceptedAt,
          lines: await unpackLines(lines),
        })),
      ),
    bounds: async () => bounds(),
    prune: async (bound) =>
      transaction(db, () => {
        const dead = prunable(oldest.all(bound.limit + 1), bound);
        const last = dead.at(-1);
        if (last !== undefined) removeUpTo.run(last.first);
        return dead.length;
      }),
  };
}
