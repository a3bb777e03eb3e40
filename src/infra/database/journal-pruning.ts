import type { JournalStore } from '../../core/ingest/journal-store.ts';
import type { EpochMs } from '../../core/trade.ts';

interface KeptBatch {
  readonly first: number;
  readonly next: number;
  readonly acceptedAt: EpochMs;
}

type Bound = Parameters<JournalStore['prune']>[0];

/**
 * The batches to delete, of the oldest `limit + 1`: from the oldest on without a gap, even when the wall clock was changed in
 * between. The last batch of all is never deleted.
 */
export function prunable<Batch extends KeptBatch>(oldest: readonly Batch[], bound: Bound): readonly Batch[] {
  const candidates = oldest.slice(0, -1);
  const kept = candidates.findIndex(
    ({ next, acceptedAt }) => next > bound.position || acceptedAt >= bound.acceptedBefore,
  );
  return kept < 0 ? candidates : candidates.slice(0, kept);
}
