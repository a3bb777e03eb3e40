import type { SteadyClock } from '../../core/base/time/clock.ts';

/** The longest timeout of Node; a longer one would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: SteadyClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const cancel = ms > 0 ? startTimer(ms, wake) : startImmediate(wake);
      signal?.addEventListener('abort', wake, { once: true });
      function wake(): void {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      }
    }),
};

function startTimer(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
  return () => clearTimeout(timer);
}

/** A pause of no length still lets the event loop run; a timer would take at least 1 ms. */
function startImmediate(wake: () => void): () => void {
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
