import type { Logger } from '../logger.ts';
import type { Clock } from '../time/clock.ts';
import type { EpochMs } from '../time/duration.ts';

/** Logs failures of a task that is repeated, and knows whether the last run failed. The service's logger limits the lines. */
export class FailureLog {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #message: string;
  readonly #fieldsOf: (error: unknown) => object;
  #isFailing = false;

  /**
   * `message`: what failed, and what follows from it, for example `the key store is unavailable; retrying every second`.
   * `fieldsOf`: which fields of an error are logged.
   */
  constructor(
    logger: Pick<Logger, 'warn'>,
    message: string,
    fieldsOf: (error: unknown) => object = (err) => ({ err }),
  ) {
    this.#logger = logger;
    this.#message = message;
    this.#fieldsOf = fieldsOf;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  failed(error: unknown, fields: object = {}): void {
    this.#logger.warn({ ...fields, ...this.#fieldsOf(error) }, this.#message);
    this.#isFailing = true;
  }

  succeeded(): void {
    this.#isFailing = false;
  }

  /** Runs the task and logs its failure. Null when it failed. */
  async guard<Answer>(task: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await task();
      this.succeeded();
      return answer;
    } catch (error) {
      this.failed(error);
      return null;
    }
  }
}

/** Limits the log lines of one kind of event to one per interval. Events after the last logged line are never logged. */
export class LogThrottle {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #intervalMs: number;
  #events = 0;
  #loggedAt: EpochMs | null = null;

  constructor(clock: Pick<Clock, 'now'>, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Counts an event. Returns the number of events since the last logged one when this one may be logged; otherwise null. */
  take(): number | null {
    this.#events += 1;
    const now = this.#clock.now();
    if (this.#loggedAt !== null && Math.abs(now - this.#loggedAt) < this.#intervalMs) return null;
    const events = this.#events;
    this.#loggedAt = now;
    this.#events = 0;
    return events;
  }
}
