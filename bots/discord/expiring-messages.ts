import type { Clock } from '../../src/core/clock.ts';

/** Less than the 15 minutes for which Discord lets an answer be removed. */
const SHOWN_MS = 600_000;
const MOST = 2_000;

interface ExpiringMessage {
  readonly request: string;
  readonly remove: () => Promise<void>;
}

/** Messages with keys in them, which remove themselves. */
export interface ExpiringMessages {
  /** `request` names the press that gave the key. `remove` is called after 10 minutes, or earlier when there are too many. */
  keep(messageId: string, shown: ExpiringMessage): void;
  /** The message shows something else now, or is gone. */
  forget(messageId: string): void;
  has(messageId: string): boolean;
  /** The message that shows the key of this request; null when there is none any more. */
  messageOf(request: string): string | null;
  close(): void;
}

export function createExpiringMessages(clock: Pick<Clock, 'sleep'>): ExpiringMessages {
  const shown = new Map<string, ExpiringMessage & { readonly over: AbortController }>();

  function take(messageId: string): (() => Promise<void>) | null {
    const entry = shown.get(messageId);
    if (entry === undefined) return null;
    shown.delete(messageId);
    entry.over.abort();
    return entry.remove;
  }

  return {
    keep(messageId, message) {
      take(messageId);
      const over = new AbortController();
      shown.set(messageId, { ...message, over });
      void clock.sleep(SHOWN_MS, over.signal).then(() => (over.signal.aborted ? null : take(messageId)?.()));
      const [oldest] = shown.keys();
      if (shown.size > MOST && oldest !== undefined) void take(oldest)?.();
    },
    forget(messageId) {
      take(messageId);
    },
    has: (messageId) => shown.has(messageId),
    messageOf(request) {
      for (const [messageId, message] of shown) if (message.request === request) return messageId;
      return null;
    },
    close() {
      for (const messageId of [...shown.keys()]) take(messageId);
    },
  };
}
