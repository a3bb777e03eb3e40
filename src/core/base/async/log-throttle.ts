import type { Clock } from '../time/clock.ts';
import type { EpochMs } from '../time/duration.ts';

/** Limits the log lines of one kind of event to one per interval. Events after the last line are never logged. */
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
