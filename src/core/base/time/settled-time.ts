import type { SteadyClock } from './clock.ts';
import { type EpochMs, MINUTE_MS } from './duration.ts';

/** How long a time must have been seen before it counts. */
export const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** One reading of both clocks. */
interface Reading {
  readonly at: number;
  readonly time: EpochMs;
}

/**
 * The latest time that every look of the last 10 minutes has shown to be over, for what cannot be undone: a clock that is ahead for
 * less than 10 minutes does not advance it.
 */
export class SettledTime {
  readonly #clock: Pick<SteadyClock, 'now' | 'monotonic'>;
  #readings: readonly Reading[] = [];

  constructor(clock: Pick<SteadyClock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Null until two looks were 10 minutes apart. */
  look(): EpochMs | null {
    const reading = { at: this.#clock.monotonic(), time: this.#clock.now() };
    const isOld = ({ at }: Reading) => reading.at - at >= SETTLED_AFTER_MS;
    const first = Math.max(0, this.#readings.findLastIndex(isOld));
    this.#readings = [...this.#readings.slice(first), reading];
    const [oldest] = this.#readings;
    if (oldest === undefined || !isOld(oldest)) return null;
    return Math.min(...this.#readings.map(({ time }) => time));
  }
}
