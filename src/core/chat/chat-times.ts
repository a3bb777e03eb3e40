import { backoffMs } from '../base/async/retry.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import type { ChatKind, ChatMessage } from './chat-message.ts';

/** How long a message of each kind may be sent, from `createdAt`; kinds not listed here: three days. */
const LIFETIME_MS: Partial<Record<ChatKind, number>> = {
  alert: HOUR_MS,
  daily_digest: DAY_MS / 2,
};
const DEFAULT_LIFETIME_MS = 3 * DAY_MS;
const BACKOFF = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };

/** Whether a message has expired (alerts older than an hour are not posted in channels). */
export function isTooOld(
  { kind, createdAt }: Pick<ChatMessage, 'kind' | 'createdAt'>,
  now: EpochMs,
): boolean {
  return now - createdAt > (LIFETIME_MS[kind] ?? DEFAULT_LIFETIME_MS);
}

/** Milliseconds before the next attempt: what the platform asks for, and at least a backoff from 1 s to 5 minutes with jitter. */
export function messageRetryMs(retry: {
  /** Attempts before the last one. */
  readonly attempts: number;
  readonly askedMs: number;
  /** 0 to 1. */
  readonly random: () => number;
}): number {
  return Math.max(retry.askedMs, Math.round(backoffMs(BACKOFF, retry.attempts + 1, retry.random)));
}
