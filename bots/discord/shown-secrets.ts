import type { Clock } from '../../src/core/clock.ts';

/** Less than the 15 minutes for which Discord lets an answer be removed. */
const SHOWN_MS = 600_000;
const MOST = 2_000;

/** Messages with keys in them, which remove themselves. */
export interface ShownSecrets {
  /** `remove` is called after 10 minutes, or earlier when there are too many. */
  keep(messageId: string, remove: () => Promise<void>): void;
  /** The message shows something else now, or is gone. */
  forget(messageId: string): void;
  has(messageId: string): boolean;
  close(): void;
}

export function createShownSecrets(clock: Pick<Clock, 'sleep'>): ShownSecrets {
  const shown = new Map<string, { readonly over: AbortController; readonly remove: () => Promise<void> }>();

  function take(messageId: string): (() => Promise<void>) | null {
    const entry = shown.get(messageId);
    if (entry === undefined) return null;
    shown.delete(messageId);
    entry.over.abort();
    return entry.remove;
  }

  return {
    keep(messageId, remove) {
      take(messageId);
      const over = new AbortController();
      shown.set(messageId, { over, remove });
      void clock.sleep(SHOWN_MS, over.signal).then(() => (over.signal.aborted ? null : take(messageId)?.()));
      const [oldest] = shown.keys();
      if (shown.size > MOST && oldest !== undefined) void take(oldest)?.();
    },
    forget(messageId) {
      take(messageId);
    },
    has: (messageId) => shown.has(messageId),
    close() {
      for (const messageId of [...shown.keys()]) take(messageId);
    },
  };
}
