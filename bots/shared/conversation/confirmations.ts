import type { ShownSecret } from '../screen.ts';
import type { ConversationDeps } from './feature.ts';

const KEPT_MOST = 10_000;

/** Stores which secrets were delivered. */
export class Confirmations {
  readonly #deps: Pick<ConversationDeps, 'customers' | 'logger'>;
  /** Ids of keys by request, the oldest first. */
  readonly #unstored = new Map<string, string>();

  constructor(deps: Pick<ConversationDeps, 'customers' | 'logger'>) {
    this.#deps = deps;
  }

  /** Never throws: what could not be stored is kept for `settle`. */
  async confirm({ keyId, request }: ShownSecret): Promise<void> {
    const { customers, logger } = this.#deps;
    try {
      await customers.keys.confirmShown(keyId, request);
    } catch (error) {
      logger.error(
        { err: error, keyId },
        'delivery of a key not recorded; retrying before the next key is issued',
      );
      const [oldest] = this.#unstored.keys();
      if (this.#unstored.size >= KEPT_MOST && oldest !== undefined) this.#unstored.delete(oldest);
      this.#unstored.set(request, keyId);
    }
  }

  /**
   * Stores what could not be stored before; throws when it still cannot. To be called before a key is asked for, which
   * revokes whatever is not known to have arrived.
   */
  async settle(): Promise<void> {
    for (const [request, keyId] of this.#unstored) {
      await this.#deps.customers.keys.confirmShown(keyId, request);
      this.#unstored.delete(request);
    }
  }
}
