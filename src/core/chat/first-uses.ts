import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Logger } from '../logger.ts';
import type { NewChatMessage } from './chat-message.ts';
import type { ChatOutbox } from './chat-outbox.ts';

/** Tells owners in chat that their key works, at its first call. */
export interface FirstUses {
  /** A call was let in with a customer's key whose row says that it was never used. Costs next to nothing. */
  note(key: ApiKey): void;
  /**
   * Puts a message for each into the outbox, once a key however often it is noted, and then writes the moment. Never
   * throws: what failed is kept for the next time. To be called every second, and once before the end.
   */
  flush(): Promise<void>;
}

/** What first uses stand on. */
export interface FirstUsesDeps {
  readonly keys: Pick<KeyStore, 'markFirstUsed'>;
  readonly outbox: ChatOutbox;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Keys noted and not flushed, and keys remembered as done while cached rows still say otherwise. */
const MOST_NOTED = 10_000;

/** First uses, none noted. Memory is bounded: a key that finds no room is noted with its next call. */
export function createFirstUses({ keys, outbox, clock, logger }: FirstUsesDeps): FirstUses {
  const noted = new Map<string, NewChatMessage>();
  const done = new LRUCache<string, true>({ max: MOST_NOTED });
  let flushing: Promise<void> | null = null;

  async function write(): Promise<void> {
    const messages = [...noted.values()];
    if (messages.length === 0) return;
    try {
      // The message first: a crash in between sends nothing twice, as its id is the key's, and loses nothing.
      await outbox.add(messages);
      for (const [keyId, { createdAt }] of [...noted].slice(0, messages.length)) {
        await keys.markFirstUsed(keyId, createdAt);
        done.set(keyId, true);
        noted.delete(keyId);
      }
    } catch (error) {
      logger.warn({ err: error }, 'first uses of keys could not be stored; they are kept');
    }
  }

  return {
    note({ id: keyId, name }) {
      if (noted.size >= MOST_NOTED || noted.has(keyId) || done.get(keyId)) return;
      const now = clock.now();
      noted.set(keyId, {
        id: `key_first_used:${keyId}`,
        recipient: `key:${keyId}`,
        kind: 'key_first_used',
        facts: { keyId, name },
        createdAt: now,
        dueAt: now,
      });
    },
    flush() {
      flushing ??= write().finally(() => {
        flushing = null;
      });
      return flushing;
    },
  };
}
