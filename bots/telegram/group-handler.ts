import { type Api, Composer, type Context } from 'grammy';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { type Conversation, commandInText } from '../shared/conversation.ts';
import { containsKey, type LeakGuard } from '../shared/create-leak-guard.ts';
import { deleteMessage, telegramFields } from './failures.ts';
import type { Pacer } from './pacer.ts';
import type { TelegramChannel } from './telegram-community.ts';

/** An operator may link another group at any time. */
const REMEMBERED_MS = 10 * MINUTE_MS;

interface GroupOptions {
  readonly api: Api;
  readonly conversation: Pick<Conversation, 'commands'>;
  readonly channel: TelegramChannel | null;
  readonly leakGuard: LeakGuard | null;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createGroupHandler(options: GroupOptions): Composer<Context> {
  const { channel } = options;
  const linkedGroup = rememberedLinkedGroup(options);
  const composer = new Composer<Context>();
  const groups = composer.filter((ctx) => ctx.chat !== undefined && ctx.chat.type !== 'private');

  groups.on('message:migrate_to_chat_id', (ctx) => {
    if (channel?.is(ctx.chat) === true) channel.move(ctx.msg.migrate_to_chat_id);
  });
  groups.on(['message', 'edited_message', 'channel_post', 'edited_channel_post'], async (ctx) => {
    if (await heldKey(options, linkedGroup, ctx)) return;
    if (ctx.editedMessage === undefined && ctx.editedChannelPost === undefined)
      await pointToPrivateChat(options, ctx);
  });
  return composer;
}

/** The channel's linked group, where its comments are written; asked each 10 minutes. */
function rememberedLinkedGroup({ api, channel, clock, logger }: GroupOptions) {
  let known: { readonly id: number | undefined; readonly until: number } = { id: undefined, until: 0 };
  return async (): Promise<number | undefined> => {
    if (channel === null || clock.now() < known.until) return known.id;
    try {
      const { linked_chat_id: id } = await api.getChat(channel.id);
      known = { id, until: clock.now() + REMEMBERED_MS };
    } catch (error) {
      logger.warn(telegramFields(error), 'discussion group of the Telegram channel unavailable');
    }
    return known.id;
  };
}

/** Whether the message contained a key, and so was deleted where that was possible. */
async function heldKey(
  { channel, leakGuard, logger }: GroupOptions,
  linkedGroup: () => Promise<number | undefined>,
  ctx: Context,
): Promise<boolean> {
  const { chat, msg } = ctx;
  if (leakGuard === null || chat === undefined || msg === undefined) return false;
  const text = strings(msg).join('\n');
  const isChannel = channel?.is(chat) === true;
  // Telegram is asked about the group only for a text with a key.
  const isWatched = isChannel || (containsKey(text) && (await linkedGroup()) === chat.id);
  if (!isWatched) return false;
  const community = chat.type === 'channel' ? 'the Telegram channel' : 'the Telegram group';
  const place = isChannel ? community : 'the comments of the Telegram channel';
  const onFailure = (error: unknown): void =>
    logger.warn(
      { place, message: msg.message_id, ...telegramFields(error) },
      'deletion of a message with a key failed: the bot needs the right to delete messages there; delete the message',
    );
  const remove = () => deleteMessage(ctx, onFailure);
  return leakGuard.inspect({ text, place, remove });
}

/** One short answer, without waiting or retrying: a busy group must not delay private chats. */
async function pointToPrivateChat({ conversation, api, pacer }: GroupOptions, ctx: Context): Promise<void> {
  const command = commandInText(ctx.msg?.text ?? '');
  const { chat, msg } = ctx;
  if (command === null || chat === undefined || msg === undefined) return;
  if (!conversation.commands.some(({ name }) => name === command.name)) return;
  if (command.bot !== '' && command.bot.toLowerCase() !== ctx.me.username.toLowerCase()) return;
  if (!pacer.tryPost(String(chat.id))) return;
  const url = `https://t.me/${ctx.me.username}?start=${payloadOf(command)}`;
  await api.sendMessage(chat.id, 'I answer in a private chat.', {
    reply_parameters: { message_id: msg.message_id, allow_sending_without_reply: true },
    reply_markup: { inline_keyboard: [[{ text: 'Open the private chat', url }]] },
  });
}

/** What changes what a person follows is done in the private chat, never where others read it. */
const FOLLOWING: ReadonlySet<string> = new Set(['follow', 'follows', 'mute', 'stop', 'quiet', 'settings']);

/** The payload that does in the private chat what the command asks for (`linkedAction`). */
function payloadOf({ name, argument }: { readonly name: string; readonly argument: string }): string {
  if (name === 'alert' && /^\d{1,15}$/.test(argument)) return `alert_${argument}`;
  if (FOLLOWING.has(name)) return 'follow';
  return name === 'key' || name === 'upgrade' ? name : 'menu';
}

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

/** Every text of a message of any kind, also of kinds that Telegram adds later. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (NOT_OF_THE_MESSAGE.has(name) ? [] : strings(part)));
}
