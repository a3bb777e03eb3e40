import type { EpochMs } from './duration.ts';

/** At most this many events within any window of this length. */
export interface RateLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** The times of the last `most` events, for limits up to that number. Memory: 8 bytes per event. */
export class SlidingWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(most: number) {
    this.#times = new Float64Array(most).fill(Number.NEGATIVE_INFINITY);
  }

  /** Counts an event. Returns a function that moves it to a later time. */
  add(at: EpochMs): (to: EpochMs) => void {
    const own = this.#next;
    this.#times[own] = at;
    this.#next = (own + 1) % this.#times.length;
    return (to) => {
      this.#times[own] = to;
    };
  }

  /** When one more event is within the limit; minus infinity while fewer than `most` were counted. */
  freeAt({ most, windowMs }: RateLimit): EpochMs {
    const { length } = this.#times;
    return (this.#times[(this.#next + length - most) % length] as number) + windowMs;
  }
}
