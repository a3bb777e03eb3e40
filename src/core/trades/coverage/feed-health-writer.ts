import { FailureLog } from '../../base/async/failure-log.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import type { BlindWindow } from './blind-window.ts';
import type { FeedHealthStore, FeedPosition } from './feed-health-store.ts';

/** A changed position alone is written at most this often. */
const POSITION_EVERY_MS = 5 * SECOND_MS;

/**
 * Writes the feed's record, one write at a time. A failed write is kept and repeated with the next.
 * A window is written as not backfilled first, then the position, and only then as backfilled: a process that is killed
 * in between leaves one window too many as not backfilled, and never loses one or marks it wrongly.
 */
export class FeedHealthWriter {
  readonly #store: Pick<FeedHealthStore, 'putWindow' | 'writePosition'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures: FailureLog;
  readonly #windows = new Map<string, BlindWindow>();
  #position: FeedPosition | null = null;
  #written: FeedPosition | null = null;
  #writtenAt: EpochMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;

  constructor(
    store: Pick<FeedHealthStore, 'putWindow' | 'writePosition'>,
    clock: Pick<Clock, 'now'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#failures = new FailureLog(logger, 'feed health store unavailable; retrying with the next write');
  }

  /** Takes windows that changed, and the position at the same moment. Resolves after the attempt; never throws. */
  async write(changed: readonly BlindWindow[], position: FeedPosition): Promise<void> {
    for (const window of changed) this.#windows.set(window.id, window);
    this.#position = position;
    if (this.#isDue() && this.#writing === null) await this.#failures.guard(() => this.#flushOnce());
  }

  /** Writes all that is left immediately. Throws when the write fails. */
  async settle(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#flushOnce();
  }

  #isDue(): boolean {
    if (this.#windows.size > 0) return true;
    const sinceMs = Math.abs(this.#clock.now() - this.#writtenAt);
    return !isSame(this.#position, this.#written) && sinceMs >= POSITION_EVERY_MS;
  }

  /** One at a time, so that an older state never overwrites a newer one. */
  #flushOnce(): Promise<void> {
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const windows = [...this.#windows.values()];
    const position = this.#position;
    for (const window of windows) await this.#store.putWindow({ ...window, backfilledAt: null });
    if (position !== null && !isSame(position, this.#written)) {
      await this.#store.writePosition(position);
      this.#written = position;
      this.#writtenAt = this.#clock.now();
    }
    for (const window of windows) {
      if (window.backfilledAt !== null) await this.#store.putWindow(window);
      if (this.#windows.get(window.id) === window) this.#windows.delete(window.id);
    }
  }
}

function isSame(a: FeedPosition | null, b: FeedPosition | null): boolean {
  return (
    a?.since === b?.since && a?.confirmedUntil === b?.confirmedUntil && a?.oldestWaiting === b?.oldestWaiting
  );
}
