import { LRUCache } from 'lru-cache';
import { FailureLog } from '../async/failure-log.ts';
import { FairQueue, QueueFullError } from '../async/fair-queue.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

/** `null`: no key has this lookup part. `unavailable`: the store does not answer. `busy`: too many suspect reads wait. */
export type KeyLookup = ApiKey | null | 'unavailable' | 'busy';

interface KeyCacheOptions {
  readonly keys: Pick<KeyStore, 'byLookup'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A row is read again after 4 s, so that a revocation takes effect within 5 s. */
const MAX_AGE_MS = 4_000;
const READ_TIMEOUT_MS = 3_000;
const CAPACITY = 20_000;
/** Reads for addresses that have used up their failures. */
const SUSPECT_READS = { running: 4, waiting: 64 };

/**
 * Rows of keys, at most 4 s old, counted from the start of the read. Requests for one lookup part share a read. Lookup parts
 * without a key are not cached: a key works as soon as it is issued.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #entries = new LRUCache<string, { readonly key: ApiKey; readonly freshUntil: EpochMs }>({
    max: CAPACITY,
  });
  readonly #reads = new Map<string, Promise<KeyLookup>>();
  readonly #suspectReads = new FairQueue(SUSPECT_READS);
  readonly #failures: FailureLog;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'key store unavailable; keys cannot be looked up');
  }

  /** The row if it may be used without reading it again. */
  fresh(lookup: string, now: EpochMs): ApiKey | undefined {
    const entry = this.#entries.get(lookup);
    if (entry === undefined) return undefined;
    // After the clock was set back, the row would appear to be read in the future.
    const leftMs = entry.freshUntil - now;
    return leftMs > 0 && leftMs <= MAX_AGE_MS ? entry.key : undefined;
  }

  /** The row, read again if it is too old. Few reads for suspects run at the same time. */
  async load(lookup: string, isSuspect: boolean): Promise<KeyLookup> {
    const key = this.fresh(lookup, this.#options.clock.now());
    if (key !== undefined) return key;
    const running = this.#reads.get(lookup);
    if (running !== undefined) return running;
    const read = isSuspect ? this.#readLater(lookup) : this.#read(lookup);
    const tracked = read.finally(() => this.#reads.delete(lookup));
    this.#reads.set(lookup, tracked);
    return tracked;
  }

  async #readLater(lookup: string): Promise<KeyLookup> {
    try {
      return await this.#suspectReads.run(() => this.#read(lookup), { caller: '' });
    } catch (error) {
      if (error instanceof QueueFullError) return 'busy';
      throw error;
    }
  }

  async #read(lookup: string): Promise<KeyLookup> {
    const { keys, clock } = this.#options;
    const freshUntil = clock.now() + MAX_AGE_MS;
    try {
      const key = await withTimeout({ clock, timeoutMs: READ_TIMEOUT_MS }, keys.byLookup(lookup));
      this.#failures.succeeded();
      if (key === null) this.#entries.delete(lookup);
      else this.#entries.set(lookup, { key, freshUntil });
      return key;
    } catch (error) {
      this.#failures.failed(error);
      return 'unavailable';
    }
  }
}
