import type { ShownSecret } from '../screen.ts';
import type { ConversationDeps } from './feature.ts';

/** Stores which secrets were delivered. */
export interface Confirmations {
  /** Never throws: what could not be stored is kept for `settle`. */
  confirm(secret: ShownSecret): Promise<void>;
  /**
   * Stores what could not be stored before; throws when it still cannot. To be called before a key is asked for, which
   * revokes whatever is not known to have arrived.
   */
  settle(): Promise<void>;
}

const KEPT_MOST = 10_000;

export function createConfirmations({
  customers,
  logger,
}: Pick<ConversationDeps, 'customers' | 'logger'>): Confirmations {
  /** By request, the oldest first. */
  const unstored = new Map<string, string>();

  return {
    async confirm({ keyId, request }) {
      try {
        await customers.confirmShown(keyId, request);
      } catch (error) {
        logger.error(
          { err: error, keyId },
          'delivery of a key not recorded; retrying before the next key is issued',
        );
        const [oldest] = unstored.keys();
        if (unstored.size >= KEPT_MOST && oldest !== undefined) unstored.delete(oldest);
        unstored.set(request, keyId);
      }
    },
    async settle() {
      for (const [request, keyId] of unstored) {
        await customers.confirmShown(keyId, request);
        unstored.delete(request);
      }
    },
  };
}
