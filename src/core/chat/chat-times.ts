import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { ChatKind, ChatMessage } from './chat-message.ts';

/** How long each kind is worth sending, from `createdAt`; what is not named here three days. */
const WORTH_MS: Partial<Record<ChatKind, number>> = {
  alert: HOUR_MS,
  more_alerts: HOUR_MS,
  daily_digest: DAY_MS / 2,
};
const OTHERS_WORTH_MS = 3 * DAY_MS;

/** Whether nobody would want it any more (design: older than an hour an alert is not posted in channels). */
export function isTooOld(
  { kind, createdAt }: Pick<ChatMessage, 'kind' | 'createdAt'>,
  now: EpochMs,
): boolean {
  return now - createdAt > (WORTH_MS[kind] ?? OTHERS_WORTH_MS);
}

const FIRST_RETRY_MS = SECOND_MS;
const LAST_RETRY_MS = 5 * MINUTE_MS;

/**
 * How long to wait before a message is tried again: as long as the platform asks, and 1 s, doubled with each attempt
 * to 5 minutes, of which up to half is left out by chance. `chance` is from 0 to 1.
 */
export function retryAfter(retry: { attempts: number; asked: number; chance: number }): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(retry.attempts, 20));
  return Math.max(retry.asked, Math.round(full * (1 - retry.chance / 2)));
}
