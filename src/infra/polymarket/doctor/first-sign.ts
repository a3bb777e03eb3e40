import { withDeadline } from '../../../core/async/with-deadline.ts';
import type { Clock } from '../../../core/clock.ts';

interface SignOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs `listen` until it calls `onSign` or the time is over, and waits for its end. Returns the time until the sign,
 * milliseconds; null without one.
 */
export async function firstSign(
  { clock, limitMs, signal }: SignOptions,
  listen: (onSign: () => void, signal: AbortSignal) => Promise<unknown>,
): Promise<number | null> {
  const startedAt = clock.now();
  const heard = new AbortController();
  let tookMs: number | null = null;
  const onSign = () => {
    tookMs ??= clock.now() - startedAt;
    heard.abort();
  };
  await withDeadline({ clock, deadlineMs: limitMs, signal }, (within) =>
    listen(onSign, AbortSignal.any([within, heard.signal])),
  );
  signal.throwIfAborted();
  return tookMs;
}
