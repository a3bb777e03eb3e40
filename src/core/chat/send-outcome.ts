import type { EpochMs } from '../trade.ts';
import type { ChatMessage } from './chat-message.ts';
import { isChannel } from './chat-queue.ts';
import type { ChatChange } from './chat-store.ts';
import { messageRetryMs } from './chat-times.ts';
import type { SendResult } from './messenger.ts';

const ERROR_LENGTH = 200;

/** A message after an attempt to send it. */
export interface SendAttempt {
  readonly message: ChatMessage;
  /** Whether the call has the same effect when it is made twice, as an edit has. */
  readonly isRepeatable: boolean;
  readonly now: EpochMs;
  /** For the jitter of the retry, 0 to 1. */
  readonly random: () => number;
}

/**
 * The new state of a message after an attempt. With an unknown outcome a post in a channel is not sent again (at most
 * once); a message to a person is (at least once).
 */
export function outcomeOf(
  result: SendResult,
  { message, isRepeatable, now, random }: SendAttempt,
): ChatChange {
  if (result.ok) return { state: 'sent', place: result.place, at: now };
  const isLost = result.reason === 'unknown' && isChannel(message.recipient) && !isRepeatable;
  if (isLost) return { state: 'failed', error: 'unknown', at: now };
  const error = `${result.reason}: ${result.detail}`.slice(0, ERROR_LENGTH);
  if (result.reason !== 'later' && result.reason !== 'unknown') return { state: 'failed', error, at: now };
  const waitMs = messageRetryMs({ attempts: message.attempts, askedMs: result.retryAfterMs, random });
  return { state: 'pending', dueAt: now + waitMs, error };
}
