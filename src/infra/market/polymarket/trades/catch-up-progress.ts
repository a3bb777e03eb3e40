import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';

const LOG_EVERY_MS = 10_000;

interface Span {
  readonly floor: EpochMs;
  readonly start: EpochMs;
}

/** Progress of a long walk: the first half is walking back, the second half is enqueuing. Logged every 10 s while it lasts. */
export class CatchUpProgress {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Logger;
  #throttle: LogThrottle;
  #span: Span | null = null;
  #progress = 0;

  constructor(clock: Pick<Clock, 'now'>, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
    this.#throttle = new LogThrottle(clock, LOG_EVERY_MS);
  }

  /** 0 to 1; null while no walk lasts. */
  get progress(): number | null {
    return this.#span === null ? null : this.#progress;
  }

  begin(span: Span): void {
    this.#span = span;
    this.#progress = 0;
    // The first line comes after 10 s.
    this.#throttle = new LogThrottle(this.#clock, LOG_EVERY_MS);
    this.#throttle.take();
  }

  walked({ pages, oldestAt }: { pages: number; oldestAt: EpochMs | null }): void {
    if (this.#span === null || oldestAt === null) return;
    const { floor, start } = this.#span;
    this.#advance(Math.min((start - oldestAt) / (start - floor), 1) / 2, { pages, oldestAt });
  }

  enqueued(enqueued: number, of: number): void {
    this.#advance(0.5 + enqueued / of / 2, { offered: enqueued, of });
  }

  end(): void {
    this.#span = null;
  }

  #advance(done: number, fields: object): void {
    if (this.#span === null) return;
    this.#progress = Math.min(Math.max(done, this.#progress), 1);
    if (this.#throttle.take() === null) return;
    const progress = Math.round(this.#progress * 1_000) / 1_000;
    this.#logger.info({ progress, ...fields }, 'polling catches up');
  }
}
