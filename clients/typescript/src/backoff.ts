const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Each pause is shortened by up to this part at random, so that many clients do not return in the same moment. */
const JITTER = 0.1;

/** Waits at most until `signal` is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Pauses of 1, 2, 4 … and at most 30 seconds; from 1 again after a success. */
export class Backoff {
  #next = FIRST_MS;

  next(): number {
    const ms = this.#next * (1 - JITTER * Math.random());
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    return ms;
  }

  reset(): void {
    this.#next = FIRST_MS;
  }
}

/** Waits with a timer. */
export const sleep: Wait = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(wake, ms);
    function wake(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    }
    signal.addEventListener('abort', wake, { once: true });
    if (signal.aborted) wake();
  });
