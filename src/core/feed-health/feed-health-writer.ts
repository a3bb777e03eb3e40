import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { BlindWindow } from './blind-window.ts';
import type { FeedHealthStore, FeedPosition } from './feed-health-store.ts';

/** A position that only went on is written this often at most. */
const POSITION_EVERY_MS = 5 * SECOND_MS;

/** What is to be written. */
interface WriterDeps {
  readonly store: Pick<FeedHealthStore, 'putWindow' | 'writePosition'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Writes the record, one write after the other. What fails is kept, and written with the next. */
export interface FeedHealthWriter {
  /** Windows that changed, and the position at the same moment. Resolves when this was tried; never throws. */
  write(changed: readonly BlindWindow[], position: FeedPosition): Promise<void>;
  /** Writes all that is left, now. Throws when it cannot be written. */
  settle(): Promise<void>;
}

/**
 * A window is written as not filled first, then the position, and only then that it is filled: a process that is killed
 * in between leaves a window too many unfilled, never one that is lost or wrongly said to be filled.
 */
export function createFeedHealthWriter({ store, clock, logger }: WriterDeps): FeedHealthWriter {
  const windows = new Map<string, BlindWindow>();
  let position: FeedPosition | null = null;
  let written: FeedPosition | null = null;
  let writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | null = null;
  let isAway = false;

  function isDue(): boolean {
    if (windows.size > 0) return true;
    return !isSame(position, written) && Math.abs(clock.now() - writtenAt) >= POSITION_EVERY_MS;
  }

  async function flush(): Promise<void> {
    const batch = [...windows.values()];
    const at = position;
    for (const window of batch) await store.putWindow({ ...window, backfilledAt: null });
    if (at !== null && !isSame(at, written)) {
      await store.writePosition(at);
      written = at;
      writtenAt = clock.now();
    }
    for (const window of batch) {
      if (window.backfilledAt !== null) await store.putWindow(window);
      if (windows.get(window.id) === window) windows.delete(window.id);
    }
  }

  /** One at a time, so that an older state never comes after a newer. */
  function flushOnce(): Promise<void> {
    writing ??= flush().finally(() => {
      writing = null;
    });
    return writing;
  }

  return {
    async write(changed, at) {
      for (const window of changed) windows.set(window.id, window);
      position = at;
      if (!isDue() || writing !== null) return;
      try {
        await flushOnce();
        isAway = false;
      } catch (error) {
        if (!isAway) logger.warn({ err: error }, 'what the live feed saw cannot be written; trying again');
        isAway = true;
      }
    },
    async settle() {
      await writing?.catch(() => {});
      await flushOnce();
    },
  };
}

function isSame(a: FeedPosition | null, b: FeedPosition | null): boolean {
  return (
    a?.since === b?.since && a?.confirmedUntil === b?.confirmedUntil && a?.oldestWaiting === b?.oldestWaiting
  );
}
