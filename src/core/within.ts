import type { Clock } from './clock.ts';

/** Waits `timeoutMs` for an answer, then throws; the answer that comes later is dropped. Leaves no timer. */
export async function within<Answer>(
  { clock, timeoutMs }: { readonly clock: Pick<Clock, 'sleep'>; readonly timeoutMs: number },
  answer: Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const timeout = clock.sleep(timeoutMs, over.signal).then((): never => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    timeout.catch(() => {});
    over.abort();
  }
}
