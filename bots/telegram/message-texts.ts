import type { Message } from 'grammy/types';

/** Other messages, which are inspected themselves, and who wrote and where. */
const NOT_OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  'chat',
  'from',
  'sender_chat',
  'sender_business_bot',
  'via_bot',
  'reply_to_message',
  'pinned_message',
]);

/**
 * Every text of a message in one string, whatever its kind: text, caption, addresses of links, a poll's question and
 * options, the quote of a reply, names of files, contacts, places and buttons, and kinds that Telegram adds later.
 */
export function textsOf(message: Message): string {
  return strings(message).join('\n');
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (NOT_OF_THE_MESSAGE.has(name) ? [] : strings(part)));
}
