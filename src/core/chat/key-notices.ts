import { LRUCache } from 'lru-cache';
import type { ApiKey, Keys } from '../accounts/keys/api-key.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { FailingNotice } from '../delivery/webhooks/delivery-engine-options.ts';
import type { NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

/** Maximum number of keys waiting for the next flush, and of keys remembered as done while cached rows still say otherwise. */
const MAX_KEYS = 10_000;

/** Dependencies of `FirstUses`. */
export interface FirstUsesOptions {
  readonly keys: Pick<Keys, 'markFirstUsed'>;
  readonly outbox: Pick<ChatStore, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sends a chat message to the owner of a key at its first call. Memory is bounded: a key above the bound is noted at its next call. */
export class FirstUses {
  readonly #options: FirstUsesOptions;
  readonly #noted = new Map<string, NewChatMessage>();
  readonly #done = new LRUCache<string, true>({ max: MAX_KEYS });
  #flushing: Promise<void> | null = null;

  constructor(options: FirstUsesOptions) {
    this.#options = options;
  }

  /** Call for each accepted call whose key has no first use stored. Cheap. */
  readonly note = ({ id: keyId, name }: ApiKey): void => {
    if (this.#noted.size >= MAX_KEYS || this.#noted.has(keyId) || this.#done.get(keyId)) return;
    const now = this.#options.clock.now();
    this.#noted.set(keyId, {
      id: `key_first_used:${keyId}`,
      recipient: `key:${keyId}`,
      kind: 'key_first_used',
      facts: { keyId, name },
      createdAt: now,
      dueAt: now,
    });
  };

  /** One message per key, then its first use is stored. Never throws: failures are retried with the next flush. */
  readonly flush = (): Promise<void> => {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  };

  async #write(): Promise<void> {
    const { keys, outbox, logger } = this.#options;
    const entries = [...this.#noted];
    if (entries.length === 0) return;
    try {
      // The message first: after a crash in between it is added again under the same id, which adds nothing.
      await outbox.add(entries.map(([, message]) => message));
      for (const [keyId, { createdAt }] of entries) {
        await keys.markFirstUsed(keyId, createdAt);
        this.#done.set(keyId, true);
        this.#noted.delete(keyId);
      }
    } catch (error) {
      logger.warn({ err: error }, 'first uses of keys not stored; retrying with the next flush');
    }
  }
}

/** Stores notices of failing webhooks as messages to their owners. They resolve to false if there is one with this id. */
export function createFailingNotices(chat: Pick<ChatStore, 'add'>) {
  return async ({ id, keyId, at, ...facts }: FailingNotice): Promise<boolean> => {
    const times = { createdAt: at, dueAt: at };
    const added = await chat.add([
      { id, recipient: `key:${keyId}`, kind: 'webhook_failing', facts, ...times },
    ]);
    return added.length > 0;
  };
}
