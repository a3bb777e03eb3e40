import { LRUCache } from 'lru-cache';
import { type BoundedQueueLimits, createBoundedQueue } from '../async/bounded-queue.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

/** A row, and until when it may be used without being read again. */
export interface CachedKey {
  readonly row: ApiKey;
  readonly freshUntil: EpochMs;
}

/** `null`: nobody has this lookup part. `away`: the store does not answer. `busy`: too many suspects ask. */
export type KeyLookup = CachedKey | null | 'away' | 'busy';

/** Rows of keys, at most so old. */
export interface KeyCache {
  /** The row when it was read so recently that it may be used; undefined otherwise. */
  fresh(lookup: string, now: EpochMs): CachedKey | undefined;
  /** The row, read again when it is too old. For suspects only few reads begin at once, the rest is `busy`. */
  load(lookup: string, isSuspect: boolean): Promise<KeyLookup>;
}

/** What the rows stand on, and their bounds. */
export interface KeyCacheDeps {
  readonly keys: Pick<KeyStore, 'byLookup'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** From the moment the read began. */
  readonly maxAgeMs: number;
  /** A read that takes longer counts as `away`; shorter than `maxAgeMs`. */
  readonly timeoutMs: number;
  readonly capacity: number;
  readonly suspects: BoundedQueueLimits;
}

/** Requests for one lookup part share a read. Unknown parts are not remembered: a key works once it is issued. */
export function createKeyCache(deps: KeyCacheDeps): KeyCache {
  const { keys, clock, logger, maxAgeMs, timeoutMs } = deps;
  const entries = new LRUCache<string, CachedKey>({ max: deps.capacity });
  const reads = new Map<string, Promise<KeyLookup>>();
  const suspects = createBoundedQueue(deps.suspects);
  let isAway = false;

  function fresh(lookup: string, now: EpochMs): CachedKey | undefined {
    const entry = entries.get(lookup);
    if (entry === undefined) return undefined;
    // A clock set back makes a row look read in the future: it is read again.
    const leftMs = entry.freshUntil - now;
    return leftMs > 0 && leftMs <= maxAgeMs ? entry : undefined;
  }

  async function read(lookup: string): Promise<KeyLookup> {
    const freshUntil = clock.now() + maxAgeMs;
    try {
      const row = await withTimeout({ clock, timeoutMs }, keys.byLookup(lookup));
      isAway = false;
      if (row === null) {
        entries.delete(lookup);
        return null;
      }
      const entry = { row, freshUntil };
      entries.set(lookup, entry);
      return entry;
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'keys cannot be looked up');
      isAway = true;
      return 'away';
    }
  }

  return {
    fresh,
    async load(lookup, isSuspect) {
      const entry = fresh(lookup, clock.now());
      if (entry !== undefined) return entry;
      const running = reads.get(lookup);
      if (running !== undefined) return running;
      const begin = () => read(lookup);
      const started = isSuspect ? suspects.run({ group: 'suspects', isLast: false }, begin) : begin();
      if (started === null) return 'busy';
      const tracked = started.finally(() => reads.delete(lookup));
      reads.set(lookup, tracked);
      return tracked;
    },
  };
}
