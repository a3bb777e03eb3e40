import type { Channel, NewChatMessage, Recipient } from '../../../src/core/chat/chat-message.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { START } from '../rows.ts';

/** A post of an alert, by default the first of its thread and due at the start. */
export function postOf(
  alertId: number,
  given: { channel?: Channel; dueAt?: EpochMs; marketId?: string; threadId?: number } = {},
): NewChatMessage {
  const { channel = 'telegram', dueAt = START, marketId = '0xm1', threadId = alertId } = given;
  return {
    id: `alert:${alertId}@${channel}`,
    recipient: `channel:${channel}`,
    kind: 'alert',
    facts: { alertId, marketId, threadId },
    createdAt: dueAt,
    dueAt,
  };
}

/** A note for one person, by default due at the start. */
export function noteFor(recipient: Recipient, given: { id?: string; dueAt?: EpochMs } = {}): NewChatMessage {
  const { id = `note:${recipient}`, dueAt = START } = given;
  return { id, recipient, kind: 'operator_note', facts: { text: 'Hello.' }, createdAt: dueAt, dueAt };
}
