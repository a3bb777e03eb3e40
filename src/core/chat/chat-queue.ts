import type { Recipient } from './chat-message.ts';

/** Whose turn is whose: each channel has its own row of messages, everybody else has one together. */
export type ChatQueue = Extract<Recipient, `channel:${string}`> | 'private';

/** The queue of a recipient. */
export function queueOf(recipient: Recipient): ChatQueue {
  return isChannel(recipient) ? recipient : 'private';
}

/** Whether it is an operator. */
export function isOperator(recipient: Recipient): recipient is Extract<Recipient, `operator:${string}`> {
  return recipient.startsWith('operator:');
}

/** Whether it is a channel. */
export function isChannel(recipient: Recipient): recipient is Extract<Recipient, `channel:${string}`> {
  return recipient.startsWith('channel:');
}
