import { type Api, Composer, type Context } from 'grammy';
import type { Message } from 'grammy/types';
import type { Logger } from '../../src/core/logger.ts';
import type { LeakGuard } from '../shared/create-leak-guard.ts';
import { logged } from './failures.ts';
import type { Pacer } from './pacer.ts';
import { commandOf } from './private-chat-handler.ts';
import type { TelegramChannel } from './telegram-channel.ts';

export interface GroupOptions {
  /** Makes one attempt of each call. */
  readonly api: Pick<Api, 'sendMessage'>;
  /** Commands that are answered with a link to the private chat. */
  readonly commands: ReadonlySet<string>;
  readonly channel: TelegramChannel | null;
  readonly leakGuard: LeakGuard | null;
  readonly pacer: Pick<Pacer, 'tryPost'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Groups and channels: messages with keys are removed, and commands are answered with a link to the private chat. */
export function createGroupHandler(options: GroupOptions): Composer<Context> {
  const { channel, logger } = options;
  const composer = new Composer<Context>();
  const groups = composer.filter((ctx) => ctx.chat !== undefined && ctx.chat.type !== 'private');

  groups.on('message:migrate_to_chat_id', (ctx) => {
    if (channel?.is(ctx.chat) === true) channel.move(ctx.msg.migrate_to_chat_id);
  });
  groups.on(['message', 'edited_message', 'channel_post', 'edited_channel_post'], async (ctx) => {
    if (await holdsKey(options, ctx.msg)) {
      await ctx.deleteMessage().catch((error: unknown) => {
        logger.warn(logged(error), 'removal of a message with a key from the Telegram channel failed');
      });
      return;
    }
    if (ctx.editedMessage === undefined && ctx.editedChannelPost === undefined)
      await pointToPrivateChat(options, ctx);
  });
  return composer;
}

async function holdsKey({ channel, leakGuard }: GroupOptions, message: Message): Promise<boolean> {
  if (leakGuard === null || channel?.is(message.chat) !== true) return false;
  const entities = [...(message.entities ?? []), ...(message.caption_entities ?? [])];
  const links = entities.flatMap((entity) => (entity.type === 'text_link' ? [entity.url] : []));
  const text = [message.text, message.caption, ...links].filter((part) => part !== undefined).join('\n');
  return leakGuard.inspect(text, 'the Telegram channel');
}

/**
 * One short answer, within the rate limit of the group. Neither waits nor retries: a busy group must not delay private
 * chats.
 */
async function pointToPrivateChat({ commands, api, pacer }: GroupOptions, ctx: Context): Promise<void> {
  const command = commandOf(ctx.msg?.text ?? '');
  const { chat, msg } = ctx;
  if (command === null || chat === undefined || msg === undefined || !commands.has(command.name)) return;
  if (command.bot !== '' && command.bot.toLowerCase() !== ctx.me.username.toLowerCase()) return;
  if (!pacer.tryPost(String(chat.id))) return;
  await api.sendMessage(chat.id, 'I answer in a private chat.', {
    reply_parameters: { message_id: msg.message_id, allow_sending_without_reply: true },
    reply_markup: {
      inline_keyboard: [
        [
          {
            text: 'Open the private chat',
            url: `https://t.me/${ctx.me.username}?start=${payloadOf(command)}`,
          },
        ],
      ],
    },
  });
}

/** The payload that does in the private chat what the command asks for (`linkedAction`). */
function payloadOf({ name, argument }: { readonly name: string; readonly argument: string }): string {
  if (name === 'alert' && /^\d{1,15}$/.test(argument)) return `alert_${argument}`;
  if (name === 'trial') return 'pro';
  return name === 'key' ? 'key' : 'menu';
}
