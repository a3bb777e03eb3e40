import type { JournalStore } from '../../core/ingest/journal-store.ts';
import type { EpochMs } from '../../core/trade.ts';

interface KeptBatch {
  readonly first: number;
  readonly next: number;
  readonly acceptedAt: EpochMs;
}

type Bound = Parameters<JournalStore['prune']>[0];

/**
 * The batches to delete, of the oldest `limit + 1`. From the oldest on without a gap, whichever way the wall clock was
 * set meanwhile; and never the last one of all.
 */
export function prunable<Batch extends KeptBatch>(oldest: readonly Batch[], bound: Bound): readonly Batch[] {
  const candidates = oldest.slice(0, -1);
  const kept = candidates.findIndex(
    ({ next, acceptedAt }) => next > bound.position || acceptedAt >= bound.acceptedBefore,
  );
  return kept < 0 ? candidates : candidates.slice(0, kept);
}
