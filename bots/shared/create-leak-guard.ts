import type { CustomerService } from '../../src/core/accounts/customers/customer-service.ts';
import { keysIn, lookupOf } from '../../src/core/accounts/keys/key-text.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { ChatStore } from '../../src/core/chat/chat-store.ts';

interface LeakGuardDeps {
  readonly customers: Pick<CustomerService, 'ownerOfSecret'>;
  readonly outbox: Pick<ChatStore, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Keys checked in one text, as each costs an argon2 hash. */
const MAX_KEYS = 10;

export type LeakGuard = ReturnType<typeof createLeakGuard>;

export interface PublicMessage {
  readonly text: string;
  /** Where it was found, for example `the Telegram channel`. */
  readonly place: string;
  /** Whether the message is gone. Never throws. */
  readonly remove: () => Promise<boolean>;
}

/** Warns once for the same secret. The secret itself is neither stored nor logged. */
export function createLeakGuard({ customers, outbox, clock, logger }: LeakGuardDeps) {
  async function warnOwner(secret: string, place: string, removed: Promise<boolean>): Promise<void> {
    const owned = await customers.ownerOfSecret(secret);
    const isDeleted = await removed;
    if (owned === null || owned.key.revokedAt !== null) return;
    const { key, customer } = owned;
    const now = clock.now();
    await outbox.add([
      {
        id: `key_leaked:${key.id}:${lookupOf(secret)}`,
        recipient: customer === null ? `key:${key.id}` : `customer:${customer.id}`,
        kind: 'key_leaked',
        facts: { keyId: key.id, name: key.name, place, isDeleted },
        createdAt: now,
        dueAt: now,
      },
    ]);
    logger.info(
      { keyId: key.id, place, isDeleted },
      'key found in a public message; its owner gets a warning',
    );
  }

  return {
    /** True when the text has a key, which is deleted and its owner warned. Never throws. */
    async inspect({ text, place, remove }: PublicMessage): Promise<boolean> {
      const found = keysIn(text);
      if (found.length === 0) return false;
      // Begins before the hashing, which takes longer.
      const removed = remove();
      for (const secret of found.slice(0, MAX_KEYS)) {
        await warnOwner(secret, place, removed).catch((error: unknown) => {
          logger.error({ err: error, place }, 'warning about a leaked key failed');
        });
      }
      await removed;
      return true;
    },
  };
}

export function containsKey(text: string): boolean {
  return keysIn(text).length > 0;
}
