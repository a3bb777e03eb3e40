import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat } from '../../base/async/repeat.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import type { CoverageReport, FeedView } from './coverage-report.ts';

const READ_EVERY_MS = 2 * SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** Keeps a recent view of the live feed in memory, in any process, whichever process runs the feed. */
export class CoverageWatch {
  readonly #report: Pick<CoverageReport, 'view'>;
  readonly #clock: Clock;
  readonly #failures: FailureLog;
  readonly #onView: (view: FeedView) => void;
  #view: FeedView | null = null;

  /** `onView` is called with every view that was read. */
  constructor(options: {
    readonly report: Pick<CoverageReport, 'view'>;
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
    readonly onView?: (view: FeedView) => void;
  }) {
    this.#report = options.report;
    this.#clock = options.clock;
    this.#failures = new FailureLog(options.logger, 'state of the live feed unavailable; retrying every 2 s');
    this.#onView = options.onView ?? (() => {});
  }

  /** At most 2 s old; null before the first read and while the database is unavailable. */
  readonly view = (): FeedView | null => this.#view;

  /** Reads every 2 s until the signal aborts. Never throws. */
  run(signal: AbortSignal): Promise<void> {
    const [clock, failures] = [this.#clock, this.#failures];
    return repeat(() => this.#read(), { clock, signal, intervalMs: READ_EVERY_MS, failures });
  }

  async #read(): Promise<void> {
    try {
      this.#view = await withTimeout({ clock: this.#clock, timeoutMs: TIMEOUT_MS }, this.#report.view());
      this.#onView(this.#view);
    } catch (error) {
      this.#view = null;
      throw error;
    }
  }
}
