import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { ChatStore } from './chat-store.ts';

/** Retention after the end of a message; posts of alerts stay longer, for outcomes and newer alerts. */
export const CHAT_KEPT_MS = { ended: 30 * DAY_MS, posts: 90 * DAY_MS } as const;

const BATCH = 500;

/** Dependencies of `pruneChat`. */
export interface ChatRetentionDeps {
  readonly store: Pick<ChatStore, 'prune'>;
  readonly now: EpochMs;
  /** Lets other work run between two batches. */
  readonly yieldToLoop: () => Promise<void>;
}

/** Removes expired messages in batches, until none is left or the signal aborts. Returns how many. */
export async function pruneChat(
  { store, now, yieldToLoop }: ChatRetentionDeps,
  signal: AbortSignal,
): Promise<number> {
  const query = {
    endedBefore: now - CHAT_KEPT_MS.ended,
    postsBefore: now - CHAT_KEPT_MS.posts,
    limit: BATCH,
  };
  let removed = 0;
  while (!signal.aborted) {
    const count = await store.prune(query);
    removed += count;
    if (count < BATCH) break;
    await yieldToLoop();
  }
  return removed;
}
