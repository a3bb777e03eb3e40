import { CHANNELS, type Channel, type NewChatMessage, type Recipient } from './chat-message.ts';

/** Queues of messages: one for each channel, and one for all private messages. */
export type ChatQueue = Extract<Recipient, `channel:${string}`> | 'private';

/** The queue of a recipient. */
export function queueOf(recipient: Recipient): ChatQueue {
  return isChannel(recipient) ? recipient : 'private';
}

/** Whether the recipient is an operator. */
export function isOperator(recipient: Recipient): recipient is Extract<Recipient, `operator:${string}`> {
  return recipient.startsWith('operator:');
}

/** Whether the recipient is a channel. */
export function isChannel(recipient: Recipient): recipient is Extract<Recipient, `channel:${string}`> {
  return recipient.startsWith('channel:');
}

/** The channel of a message; undefined for messages to people. */
export function channelOf({ recipient }: Pick<NewChatMessage, 'recipient'>): Channel | undefined {
  return CHANNELS.find((channel) => recipient === `channel:${channel}`);
}

/** Accepts messages to people and channels, which the bots send. */
export interface ChatOutbox {
  /** Adds the messages whose ids are new. Returns these ids. */
  add(messages: readonly NewChatMessage[]): Promise<readonly string[]>;
}
