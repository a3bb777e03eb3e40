import type { Clock } from './clock.ts';
import type { EpochMs } from './duration.ts';

/** A constant reason: by default each abort creates an error with a stack. */
const REPLACED = Symbol('replaced');

/** Calls back once, at the time that was set last. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #off = new AbortController();
  #at: EpochMs | null = null;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Null: never. */
  set(at: EpochMs | null): void {
    if (at === this.#at) return;
    this.#off.abort(REPLACED);
    this.#at = at;
    if (at === null) return;
    this.#off = new AbortController();
    const { signal } = this.#off;
    void this.#clock.sleep(at - this.#clock.now(), signal).then(() => {
      if (signal.aborted) return;
      this.#at = null;
      this.#onDue();
    });
  }
}
