import type { Clock } from '../clock.ts';
import { DAY_MS } from '../duration.ts';
import type { ChatStore } from './chat-store.ts';

/** How long messages are kept after their end; posts of alerts as long as outcomes and newer alerts may come for them. */
export const CHAT_KEPT_MS = { ended: 30 * DAY_MS, posts: 90 * DAY_MS } as const;

const AT_ONCE = 500;

/** What forgetting stands on. */
export interface ChatRetentionDeps {
  readonly store: Pick<ChatStore, 'prune'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Lets everything else have its turn between two pieces. */
  readonly yieldToLoop: () => Promise<void>;
}

/** Removes messages that ended long ago, in pieces, until there are none or the signal aborts. Returns how many. */
export async function pruneChat(
  { store, clock, yieldToLoop }: ChatRetentionDeps,
  signal: AbortSignal,
): Promise<number> {
  const now = clock.now();
  const query = {
    endedBefore: now - CHAT_KEPT_MS.ended,
    postsBefore: now - CHAT_KEPT_MS.posts,
    limit: AT_ONCE,
  };
  let removed = 0;
  while (!signal.aborted) {
    const count = await store.prune(query);
    removed += count;
    if (count < AT_ONCE) break;
    await yieldToLoop();
  }
  return removed;
}
