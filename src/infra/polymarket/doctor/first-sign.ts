import type { Clock } from '../../../core/clock.ts';

/**
 * Runs `listen` until it calls `onSign` or the time limit passes, and waits for its end. Returns how long the sign took, in
 * milliseconds; null without one.
 */
export async function firstSign(
  {
    clock,
    limitMs,
    signal,
  }: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal },
  listen: (onSign: () => void, signal: AbortSignal) => Promise<unknown>,
): Promise<number | null> {
  const over = new AbortController();
  const life = AbortSignal.any([signal, over.signal]);
  const startedAt = clock.now();
  let tookMs: number | null = null;
  const listening = listen(() => {
    tookMs ??= clock.now() - startedAt;
    over.abort();
  }, life);
  await clock.sleep(limitMs, life);
  over.abort();
  await listening;
  signal.throwIfAborted();
  return tookMs;
}
