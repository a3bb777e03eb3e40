type Work = (signal: AbortSignal) => Promise<void>;

/**
 * Does all works at the same time. Their signal aborts with the caller's, and when one of them fails; then the others end, and
 * its exception is thrown.
 */
export async function allOrNone(signal: AbortSignal, works: readonly Work[]): Promise<void> {
  const failed = new AbortController();
  const any = AbortSignal.any([signal, failed.signal]);
  const running = works.map(async (work) => {
    try {
      await work(any);
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  await Promise.allSettled(running);
  await Promise.all(running);
}
