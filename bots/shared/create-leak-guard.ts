import type { ChatOutbox } from '../../src/core/chat/chat-queue.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { CustomerService } from '../../src/core/customers/customer-service.ts';
import { lookupOf } from '../../src/core/keys/key-text.ts';
import type { Logger } from '../../src/core/logger.ts';

interface LeakGuardDeps {
  readonly customers: Pick<CustomerService, 'ownerOfSecret'>;
  readonly outbox: ChatOutbox;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** A lookahead, so that the text before a key cannot hide it. */
const KEYS = /(?=(sk_live_[A-Za-z0-9_-]{43}))/g;
/** Keys checked in one text, as each costs an argon2 hash. */
const MAX_KEYS = 10;

/** Finds keys in public messages. */
export type LeakGuard = ReturnType<typeof createLeakGuard>;

/** Warns once for the same secret. The secret itself is neither stored nor logged. */
export function createLeakGuard({ customers, outbox, clock, logger }: LeakGuardDeps) {
  async function warnOwner(secret: string, place: string): Promise<void> {
    const owned = await customers.ownerOfSecret(secret);
    if (owned === null || owned.key.revokedAt !== null) return;
    const { key, customer } = owned;
    const now = clock.now();
    await outbox.add([
      {
        id: `key_leaked:${key.id}:${lookupOf(secret)}`,
        recipient: customer === null ? `key:${key.id}` : `customer:${customer.id}`,
        kind: 'key_leaked',
        facts: { keyId: key.id, name: key.name, place },
        createdAt: now,
        dueAt: now,
      },
    ]);
    logger.info({ keyId: key.id, place }, 'key found in a public message; its owner gets a warning');
  }

  return {
    /**
     * True when the text contains a key: the caller deletes the message. The owner of a valid key gets a warning with a
     * button to rotate it. `place` says where it was found, for example `the Telegram channel`. Never throws.
     */
    async inspect(text: string, place: string): Promise<boolean> {
      const found = [...text.matchAll(KEYS)].map(([, secret = '']) => secret);
      for (const secret of [...new Set(found)].slice(0, MAX_KEYS)) {
        await warnOwner(secret, place).catch((error: unknown) => {
          logger.error({ err: error, place }, 'warning about a leaked key failed');
        });
      }
      return found.length > 0;
    },
  };
}

/** Whether a text contains a key, or a text of its form. */
export function containsKey(text: string): boolean {
  return text.search(KEYS) >= 0;
}
