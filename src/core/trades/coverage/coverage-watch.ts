import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { WindowCause } from './blind-window.ts';
import type { CoverageReport, FeedView } from './coverage-report.ts';

const READ_EVERY_MS = 2 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

interface WatchOptions {
  readonly report: Pick<CoverageReport, 'view'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called with every view that was read. */
  readonly onView?: (view: FeedView) => void;
}

/** Keeps a recent view of the live feed in memory, in any process, whichever process runs the feed. */
export class CoverageWatch {
  readonly #options: WatchOptions;
  #view: FeedView | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** At most 2 s old; null before the first read and while the database is unavailable. */
  readonly view = (): FeedView | null => this.#view;

  /** Reads every 2 s until the signal aborts. Never throws. */
  run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'state of the live feed unavailable; retrying every 2 s');
    return repeat(() => this.#read(), { clock, signal, intervalMs: READ_EVERY_MS, failures });
  }

  async #read(): Promise<void> {
    const { report, clock, onView } = this.#options;
    try {
      this.#view = await withTimeout({ clock, timeoutMs: TIMEOUT_MS }, report.view());
      onView?.(this.#view);
    } catch (error) {
      this.#view = null;
      throw error;
    }
  }
}

/** How long the feed is blind or unconfirmed before the stream's clients are notified. */
export const DEGRADED_AFTER_MS = MINUTE_MS;

/** The feed has been blind or unconfirmed for a minute or longer. */
export interface Degraded extends Partial<Pick<FeedView, 'reason' | 'factsDelayed'>> {
  readonly since: EpochMs;
  readonly cause: WindowCause;
}

/** The feed is complete again. */
export interface Recovered {
  readonly since: EpochMs;
  readonly until: EpochMs;
  /** Whether every trade of that time that the market still listed is known. */
  readonly backfilled: boolean;
}

interface NoticedStream {
  degrade(degraded: Degraded): void;
  recover(recovered: Recovered): void;
}

/** Takes each view of the feed, and notifies the stream once when the feed degrades and once when it recovers. */
export function createDegradedNotice(
  clock: Pick<Clock, 'now'>,
  stream: NoticedStream,
): (view: FeedView) => void {
  let notified: Degraded | null = null;
  return ({ open, last, confirmedUntil, reason, factsDelayed }) => {
    if (open !== null) {
      const isNotified = notified?.since === open.startedAt && notified.cause === open.cause;
      // A window that directly follows a notified one (such as an unconfirmed one after a blind one) is sent without delay.
      if (isNotified || (notified === null && clock.now() - open.startedAt < DEGRADED_AFTER_MS)) return;
      notified = { since: open.startedAt, cause: open.cause, reason, factsDelayed };
      stream.degrade(notified);
    } else if (notified !== null) {
      const { since } = notified;
      const window = last?.startedAt === since ? last : null;
      const until = window?.endedAt ?? Math.max(since, confirmedUntil ?? since);
      notified = null;
      stream.recover({ since, until, backfilled: window !== null && window.backfilledAt !== null });
    }
  };
}
