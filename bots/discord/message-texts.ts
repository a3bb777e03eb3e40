import type { Attachment, Embed, Message, MessageSnapshot, PartialMessage } from 'discord.js';

/**
 * Every text of a message in one string: its words, a poll's question and answers, names and descriptions of files, what
 * its embeds say, and the same of messages that it forwards.
 */
export function textsOf(message: Message | PartialMessage): string {
  const forwarded = [...message.messageSnapshots.values()].flatMap(ownTexts);
  const parts = [...ownTexts(message), ...forwarded, ...pollTexts(message.poll)];
  return parts.filter((part) => typeof part === 'string').join('\n');
}

type Part = string | null | undefined;

function ownTexts({ content, attachments, embeds }: Message | PartialMessage | MessageSnapshot): Part[] {
  return [content, ...[...attachments.values()].flatMap(fileTexts), ...embeds.flatMap(embedTexts)];
}

function fileTexts({ name, title, description }: Attachment): Part[] {
  return [name, title, description];
}

function embedTexts({ title, description, url, fields, footer, author }: Embed): Part[] {
  const lines = fields.flatMap(({ name, value }) => [name, value]);
  return [title, description, url, footer?.text, author?.name, author?.url, ...lines];
}

function pollTexts(poll: Message['poll']): Part[] {
  return poll === null ? [] : [poll.question.text, ...poll.answers.map(({ text }) => text)];
}
