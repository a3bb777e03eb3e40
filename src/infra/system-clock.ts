import type { Clock } from '../core/clock.ts';

/** The longest timer that Node takes; a longer one would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
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

/** A pause in which requests are answered: a timer would take a millisecond at least. */
function startImmediate(wake: () => void): () => void {
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
