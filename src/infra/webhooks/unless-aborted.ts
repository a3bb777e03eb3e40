/** Waits, but rejects with the reason of the signal once that is aborted. What fails is told in other words. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  toFailure: (error: unknown) => unknown = (error) => error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => signal.removeEventListener('abort', abort);
    function abort(): void {
      end();
      reject(signal.reason);
    }
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    promise.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(toFailure(error));
      },
    );
  });
}
