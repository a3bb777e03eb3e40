type Work = (signal: AbortSignal) => Promise<void>;

/** Runs all works at the same time. Their signal aborts with the caller's, and when one fails; its error is thrown after the others ended. */
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
