import type { EpochMs } from '../trade.ts';
import type { ChatMessage } from './chat-message.ts';
import { isChannel } from './chat-queue.ts';
import type { ChatChange } from './chat-store.ts';
import { retryAfter } from './chat-times.ts';
import type { SendResult } from './messenger.ts';

const ERROR_LENGTH = 200;

/** A message that was tried, and the moment. */
export interface SendAttempt {
  readonly message: ChatMessage;
  /** Whether doing it twice is seen by nobody, as with an edit. */
  readonly isRepeatable: boolean;
  readonly now: EpochMs;
  /** From 0 to 1. */
  readonly chance: number;
}

/**
 * What becomes of a message after a try. What may have arrived in a channel is not sent again: never twice. To a person
 * it is: better twice than never.
 */
export function outcomeOf(
  result: SendResult,
  { message, isRepeatable, now, chance }: SendAttempt,
): ChatChange {
  if (result.ok) return { state: 'sent', place: result.place, at: now };
  const isLost = result.reason === 'unknown' && isChannel(message.recipient) && !isRepeatable;
  if (isLost) return { state: 'failed', error: 'unknown', at: now };
  const error = `${result.reason}: ${result.detail}`.slice(0, ERROR_LENGTH);
  if (result.reason !== 'later' && result.reason !== 'unknown') return { state: 'failed', error, at: now };
  const wait = retryAfter({ attempts: message.attempts, asked: result.retryAfterMs, chance });
  return { state: 'pending', dueAt: now + wait, error };
}
